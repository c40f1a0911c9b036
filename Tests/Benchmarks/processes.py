"""The rows that are no pairs of commands: many processes at once, the sandbox, a listener, the quick start."""

import http.server
import json
import os
import shlex
import subprocess
import threading
import time

import measure


class Result:
    """A row whose figures come from a function, which returns ours, the other's, the ratio and what it may be."""

    def __init__(self, name, what, figures):
        self.name, self.what, self.figures = name, what, figures

    def cells(self):
        return [self.what, *self.figures()]


class TokenEndpoint(http.server.BaseHTTPRequestHandler):
    """Gives each request another token."""

    protocol_version, wbufsize, requests = "HTTP/1.1", -1, 0

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        TokenEndpoint.requests += 1
        token = {"access_token": f"at-{self.requests}", "refresh_token": "rt"}
        text = json.dumps({**token, "token_type": "Bearer", "expires_in": 3600}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_):
        pass


class Processes:
    """These rows, and what they need; `home` is the user's own home, where Swift keeps what it has built."""

    def __init__(self, root, build, folder, home):
        self.root, self.build, self.folder, self.home = root, build, folder, home
        self.oap = str(build / "oap")
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TokenEndpoint)
        threading.Thread(target=self.server.serve_forever).start()
        self.keep(3600)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def keep(self, seconds):
        """Puts a token into the store that has so many seconds left."""
        document = {
            "client_id": "c", "token_endpoint": f"http://127.0.0.1:{self.server.server_port}/token",
            "access_token": "at", "refresh_token": "rt", "expires_in": 3600, "expires_at": int(time.time()) + seconds}
        subprocess.run([self.oap, "store", "put", "bench"], input=json.dumps(document), text=True, check=True)

    def at_once(self):
        self.keep(-1)
        TokenEndpoint.requests, begin = 0, time.perf_counter()
        started = [subprocess.Popen([self.oap, "token", "bench"], stdout=subprocess.DEVNULL) for _ in range(200)]
        if any([process.wait() for process in started]):
            raise RuntimeError("a token was not given")
        elapsed = (time.perf_counter() - begin) * 1000
        return [f"{elapsed:.0f}", "-", f"{TokenEndpoint.requests} request", "3000 ms, 1"]

    def sandbox(self):
        count = os.environ.get("REQUESTS", "50000")
        answer = subprocess.run(
            [self.build / "oap-sandbox", "--run", "python3", self.root / "Tests/Benchmarks/token_requests.py", count],
            capture_output=True, text=True, check=True)
        median, own, before, after = answer.stdout.split()
        return [median, f"{own} its own", "-", "1 ms", "", after, f"{before} before"]

    def listen(self):
        browser, report = self.folder / "browser", self.folder / "peak"
        browser.write_text('#!/bin/sh\nexec curl --silent --location --output /dev/null "$1"\n')
        browser.chmod(0o700)
        oap = shlex.quote(self.oap)
        subprocess.run(
            [self.build / "oap-sandbox", "--run", "bash", "-euo", "pipefail", "-c",
             f"{oap} authurl -n | /usr/bin/time --format %M --output {report} {oap} listen --open"],
            env={**os.environ, "BROWSER": str(browser)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            check=True)
        return ["-", "-", "-", "-", "", f"{int(report.read_text()) / 1024:.1f}", "16"]

    def quick_start(self):
        begin = time.perf_counter()
        subprocess.run(
            [self.root / "examples/quickstart.sh"], cwd=self.root, env={**os.environ, "HOME": self.home},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return [f"{(time.perf_counter() - begin) * 1000:.0f}", "-", "-", "3000 ms"]

    def rows(self):
        return [
            Result("at-once", "200 tokens at once, expired", self.at_once),
            Result("sandbox", "token request to the sandbox", self.sandbox),
            Result("listen", "listen, one redirect", self.listen),
            Result("quick-start", "examples/quickstart.sh, all built", self.quick_start),
        ]


def batch_lines(line, oap):
    """Whether a batch of a million lines takes as long per line as one of ten thousand."""
    if b"--batch" not in measure.output(f"{oap} call --help"):
        return ["not there"]
    with open(os.devnull, "wb") as nothing:
        few = min(measure.run(line(10_000), nothing) for _ in range(3)) / 10_000 * 1000
        command, _, file = line(1_000_000).partition(" < ")
        many = measure.run(line(1_000_000), nothing) / 1_000_000 * 1000
    return [f"{many:.4f}", f"{few:.4f}", f"{many / few:.2f}", "1.10", "", f"{measure.peak(command, file):.1f}", "48"]
