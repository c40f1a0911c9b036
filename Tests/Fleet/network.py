"""Machines of one fleet, each a network namespace of its own, and etcd in three further ones. All of it lies in namespaces
of this process: nothing is left when it has ended."""

import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

MEMBERS = 3
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1"
# The clock of each machine is off by so many seconds, three machines in a row. A token that comes from 300 seconds ahead is
# renewed (oap-token(1), `--min-ttl`), so no two differ by more.
CLOCKS = (0, 150, -140)


def enter():
    """Starts the program again as the first process of its own network, mounts and processes, which end with it."""
    if os.environ.get("FLEET_INSIDE"):
        return
    words = ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
    if os.geteuid() != 0:
        words += ["--user", "--map-root-user"]
    os.environ["FLEET_INSIDE"] = "1"
    os.execvp(words[0], words + [sys.executable, *sys.argv])


def run(*words, **options):
    result = subprocess.run([str(word) for word in words], capture_output=True, text=True, **options)
    if result.returncode:
        raise RuntimeError(f"{words[0]} ended with {result.returncode}: {result.stderr}")
    return result.stdout


@contextlib.contextmanager
def folder():
    """A folder in memory."""
    with tempfile.TemporaryDirectory() as path:
        run("mount", "-t", "tmpfs", "tmpfs", path)
        try:
            yield pathlib.Path(path)
        finally:
            run("umount", "--lazy", path)


class Machine:
    """A host: its own address, home and clock."""

    def __init__(self, network, number):
        self.name, self.address = f"h{number}", f"10.9.0.{100 + number}"
        self.home = network.folder / self.name
        self.home.mkdir()
        key = self.home / "key"
        key.write_text(network.key)
        key.chmod(0o600)
        self.environment = {
            "HOME": str(self.home), "PATH": os.environ["PATH"], "OAP_STORE": network.store,
            "OAP_STORE_KEY_FILE": str(key), "OAP_ETCD_CACERT": str(network.path("ca.pem")),
            "CURL_CA_BUNDLE": str(network.path("ca.pem")),
        }
        offset = CLOCKS[number % len(CLOCKS)]
        if offset:
            self.environment.update({
                "LD_PRELOAD": FAKETIME, "FAKETIME": f"{offset:+d}s", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                "NO_FAKE_STAT": "1", "FAKETIME_DONT_RESET": "1"})
        network.host(self.name, self.address)

    def words(self, *words):
        """The command in the network of this machine."""
        return ["nsenter", f"--net=/run/netns/{self.name}", *map(str, words)]

    def start(self, *words, **options):
        return subprocess.Popen(
            self.words(*words), env=self.environment, text=True,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})

    def run(self, *words, input=""):
        process = self.start(*words, stdin=subprocess.PIPE)
        output, error = process.communicate(input, timeout=120)
        return process.returncode, output, error


class Network:
    """Everything that a fleet needs, below a folder."""

    def __init__(self, folder, oap, count):
        self.folder, self.oap = pathlib.Path(folder), oap
        for place in ("/run", "/dev/shm"):
            run("mount", "-t", "tmpfs", "tmpfs", place)
        run("ip", "link", "set", "lo", "up")
        run("ip", "link", "add", "bridge", "type", "bridge")
        run("ip", "address", "add", "10.9.0.1/24", "dev", "bridge")
        run("ip", "link", "set", "bridge", "up")
        addresses = [f"10.9.0.{10 + number}" for number in range(MEMBERS)]
        self.endpoints = [f"https://{address}:2379" for address in addresses]
        self.store = f"etcd:{','.join(self.endpoints)}/fleet"
        self.key = run(oap, "store", "key")
        self.certificates(["10.9.0.1", *addresses])
        peers = ",".join(f"e{number}=http://{address}:2380" for number, address in enumerate(addresses))
        self.members = []
        for number, address in enumerate(addresses):
            self.host(f"e{number}", address)
            self.members.append([
                "nsenter", f"--net=/run/netns/e{number}", "etcd", "--name", f"e{number}", "--data-dir",
                f"{self.folder}/e{number}", "--listen-client-urls", self.endpoints[number], "--advertise-client-urls",
                self.endpoints[number], "--listen-peer-urls", f"http://{address}:2380", "--initial-advertise-peer-urls",
                f"http://{address}:2380", "--initial-cluster", peers, "--cert-file", str(self.path("server.pem")),
                "--key-file", str(self.path("server.key")), "--logger", "zap", "--log-outputs", "/dev/null"])
        self.running = [self.start_member(number) for number in range(MEMBERS)]
        self.etcdctl("get", "--dial-timeout=20s", "--command-timeout=20s", "nothing")
        self.machines = [Machine(self, number) for number in range(count)]
        # Each claim, by its revision: when it was first seen, whose token, how many requests are in doubt, and the process.
        self.claims, self.listener = {}, None
        for endpoint in self.endpoints:
            threading.Thread(target=self.watch, args=[endpoint], daemon=True).start()

    def watch(self, endpoint):
        """Sees the claims at one member; the watches of the others go on while it is away."""
        revision = 0
        while True:
            words = ["etcdctl", "--cacert", self.path("ca.pem"), "--endpoints", endpoint, "watch", "-w", "json", "--prefix",
                     f"--rev={revision + 1}", "fleet/"]
            watching = subprocess.Popen(
                words, env={**os.environ, "ETCDCTL_API": "3"}, text=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            for line in watching.stdout:
                for event in json.loads(line).get("Events") or []:
                    revision = event["kv"]["mod_revision"]
                    self.see(revision, event["kv"])
            watching.wait()
            time.sleep(0.1)

    def see(self, revision, pair):
        record = json.loads(base64.b64decode(pair.get("value", "")) or "{}")
        if "claim" in record:
            name = base64.b64decode(pair["key"]).decode().removeprefix("fleet/")
            claim = (time.monotonic(), name, record["again"], int(record["claim"]["by"].split("/")[1]))
            if self.claims.setdefault(revision, claim) is claim and self.listener:
                self.listener(claim)

    def was_named(self, name, moment):
        """Whether the record said, when a request came, that another one may have used the refresh token up."""
        # The event of a claim may come a little later than the request under it.
        claims = [(revision, claim[2]) for revision, claim in list(self.claims.items())
                  if claim[1] == name and claim[0] < moment + 0.5]
        return bool(claims) and max(claims)[1] > 0

    def path(self, name):
        return self.folder / name

    def certificates(self, addresses):
        """A certificate authority, and a certificate for all servers; both are a day old, for clocks that are behind."""
        new = ["faketime", "-f", "-1d", "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
               "-nodes", "-days", "3"]
        run(*new, "-keyout", self.path("ca.key"), "-out", self.path("ca.pem"), "-subj", "/CN=Fleet CA")
        names = ",".join(f"IP:{address}" for address in addresses)
        run(*new, "-keyout", self.path("server.key"), "-out", self.path("server.pem"), "-subj", "/O=fleet", "-CA",
            self.path("ca.pem"), "-CAkey", self.path("ca.key"), "-addext", f"subjectAltName={names}", "-addext",
            "basicConstraints=critical,CA:false")

    def host(self, name, address):
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"v{name}", "master", "bridge", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"v{name}", "up")
        run("ip", "-n", name, "address", "add", f"{address}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            run("ip", "-n", name, "link", "set", link, "up")

    def cut(self, name, isCut):
        """Cuts a host off, or connects it again."""
        run("ip", "link", "set", f"v{name}", "down" if isCut else "up")

    def start_member(self, number):
        return subprocess.Popen(self.members[number], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def stop_member(self, number):
        self.running[number].kill()
        self.running[number].wait()

    def restart_member(self, number):
        self.running[number] = self.start_member(number)

    def client(self, *words):
        return ["etcdctl", "--cacert", self.path("ca.pem"), "--endpoints", ",".join(self.endpoints), *words]

    def etcdctl(self, *words):
        return run(*self.client(*words), env={**os.environ, "ETCDCTL_API": "3"})

    def leader(self):
        """The number of the member that leads; nil while none does."""
        for line in self.etcdctl("endpoint", "status").splitlines():
            cells = line.split(", ")
            if "true" in cells[4:5]:
                return self.endpoints.index(cells[0])
        return None

    def await_cluster(self):
        """Waits until a majority answers again."""
        while True:
            try:
                return self.etcdctl("get", "nothing")
            except RuntimeError:
                time.sleep(0.2)
