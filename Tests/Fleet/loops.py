"""Two hundred processes at a time, on all machines, over ten logins whose tokens live for seconds; holders of claims are
killed and stopped meanwhile."""

import os
import random
import signal
import threading

import server

LOGINS, PROCESSES, LIFETIME = 10, 20, 8

# Each call is one process; its end is a line of `STATUS MILLISECONDS NAME TOKEN`.
SCRIPT = """
while :; do
    begin=${EPOCHREALTIME/./}
    token="$("$0" token "$1" 2> /dev/null)" && status=0 || status=$?
    end=${EPOCHREALTIME/./}
    echo "$status $(((end - begin) / 1000)) $1 $token"
    read -t "$((2 + RANDOM % 3)).$((RANDOM % 10))" < "$2"
done
"""


class Loops:
    def __init__(self, fleet, tokens, seed):
        self.fleet, self.tokens, self.random = fleet, tokens, random.Random(seed)
        self.names = [f"loop{number}" for number in range(LOGINS)]
        self.calls, self.logins, self.killed, self.stopped, self.wrongs = [], 0, 0, 0, []
        # The addresses of machines where a process was stopped.
        self.stops, self.over, self.lock = [], threading.Event(), threading.Lock()

    def put(self, name, mode):
        document = self.tokens.login(name, mode, LIFETIME)
        while self.random.choice(self.fleet.machines).run(
                self.fleet.oap, "store", "put", name, input=document)[0] == 11:
            pass

    def work(self, seconds):
        for number, name in enumerate(self.names):
            self.put(name, server.MODES[number % 3])
        fifo = self.fleet.path("never")
        os.mkfifo(fifo)
        keep = os.open(fifo, os.O_RDWR)
        reading, writing = os.pipe()
        shells = [
            machine.start("bash", "-c", SCRIPT, self.fleet.oap, self.names[number % LOGINS], fifo, stdout=writing)
            for machine in self.fleet.machines for number in range(PROCESSES)]
        os.close(writing)
        reader = threading.Thread(target=self.read, args=[reading])
        reader.start()
        self.fleet.listener = self.hunt
        self.over.wait(seconds)
        self.over.set()
        for shell in shells:
            shell.kill()
            shell.wait()
        reader.join()
        os.close(keep)
        self.end()

    def read(self, descriptor):
        with open(descriptor) as lines:
            for line in lines:
                status, milliseconds, name, *token = line.split()
                self.calls.append((int(status), int(milliseconds), name, *token))
                if status == "8" and not self.over.is_set():
                    threading.Thread(target=self.log_in, args=[name]).start()

    def log_in(self, name):
        """The person who logs in again, once for all who ask."""
        with self.lock:
            login = self.tokens.logins[name]
            machine = self.fleet.machines[0]
            status, output, _ = machine.run(self.fleet.oap, "token", name)
            if status != 8 or self.over.is_set():
                return
            self.logins += 1
            self.put(name, login.mode)

    def hunt(self, claim):
        """Kills or stops a holder, at some moment after its claim."""
        choice = self.random.random()
        if choice < 0.3 and claim[1] in self.names:
            threading.Timer(self.random.random() ** 3 * 0.1, self.strike, [claim[3], choice]).start()

    def strike(self, process, choice):
        try:
            if choice < 0.15:
                os.kill(process, signal.SIGKILL)
                self.killed += 1
                return
            os.kill(process, signal.SIGSTOP)
            self.stopped += 1
            self.over.wait(self.random.uniform(0.1, 40))
            os.kill(process, signal.SIGCONT)
        except ProcessLookupError:
            pass

    def end(self):
        """What the log of the server says."""
        self.named = self.late = 0
        log = [record for record in self.tokens.log if record["token"].startswith("loop")]
        first = {}
        for record in log:
            before = first.setdefault(record["token"], [])
            if before:
                if self.fleet.was_named(record["token"].split(":")[0], record["time"]):
                    self.named += 1
                elif self.stopped:
                    self.late += 1
                else:
                    self.wrongs.append(f"second request unnamed: {before} {record}")
            before.append(record)
        for status, milliseconds, name, *token in self.calls:
            if status not in (0, 6, 7, 8, 11, 12, 137):
                self.wrongs.append(f"{name} ended with {status}")
            if milliseconds > 180_000:
                self.wrongs.append(f"{name} took {milliseconds} ms")
        times = sorted(call[1] for call in self.calls)
        rotated = sum(record["outcome"] == "rotated" for record in log)
        statuses = {}
        for call in self.calls:
            statuses[call[0]] = statuses.get(call[0], 0) + 1
        print(f"loops: {len(times)} processes, {len(log)} requests, {rotated} rotated, {self.killed} killed, "
              f"{self.stopped} stopped, {self.named} named, {self.late} late, {self.logins} logins, "
              f"p50 {times[len(times) // 2]} ms, p99 {times[len(times) * 99 // 100]} ms, longest {times[-1]} ms, "
              f"statuses {dict(sorted(statuses.items()))}", *self.wrongs, sep="\n    ", flush=True)
