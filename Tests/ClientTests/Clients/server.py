"""What the tests of servers do alike: a free port, and a program that listens there as long as it is needed."""

import contextlib
import socket
import subprocess


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@contextlib.contextmanager
def running(command, port):
    """Starts a server, goes on when it takes connections, and ends it and its children in the end."""
    with subprocess.Popen(command) as server:
        try:
            for _ in range(400):
                assert server.poll() is None, f"{command[0]}: status {server.returncode}"
                with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                    break
                with contextlib.suppress(subprocess.TimeoutExpired):
                    server.wait(timeout=0.05)
            yield
        finally:
            server.terminate()
