"""One expired token, several machines, one fault: what a run does, and what is right about it."""

import os
import re
import signal
import subprocess
import threading

SYSTEM_CALLS = (
    "connect,sendto,sendmsg,write,writev,pwrite64,read,recvfrom,recvmsg,openat,close,flock,fsync,fdatasync,rename,"
    "renameat,renameat2,unlink,unlinkat,link,linkat")
# After so many seconds a process that is not stopped hangs.
PATIENCE = 120
# Faults after which nobody has the answer.
DOUBTS = ("lost", "unanswered", "unavailable", "hidden", "hang")


class Traced:
    """A command of a machine under strace, which sends it a signal at one of its system calls."""

    def __init__(self, machine, words, step=None, stop=False):
        reading, writing = os.pipe()
        inject = [f"--inject={step[0]}:signal={'STOP' if stop else 'KILL'}:when={step[1]}"] if step else []
        self.lines, self.stopped = [], threading.Event()
        self.process = machine.start(
            "strace", "-f", "-qq", "-o", f"/dev/fd/{writing}", "-e", f"trace={SYSTEM_CALLS}", *inject, *words,
            pass_fds=[writing])
        os.close(writing)
        self.reader = threading.Thread(target=self.read, args=[reading])
        self.reader.start()

    def read(self, descriptor):
        with open(descriptor, encoding="utf-8", errors="replace") as trace:
            for line in trace:
                self.lines.append(line)
                if "--- stopped by SIGSTOP" in line:
                    self.number = int(line.split()[0])
                    self.stopped.set()
        self.ended = True
        self.stopped.set()

    ended = False
    number = None

    def go_on(self):
        if self.number:
            try:
                os.kill(self.number, signal.SIGCONT)
            except ProcessLookupError:
                pass

    def finish(self):
        result = finish(self.process)
        self.reader.join()
        return result

    @property
    def has_kept(self):
        """Whether the answer was on the disk."""
        return any(re.search(r'rename.*\.late".* = 0$', line.rstrip()) for line in self.lines)

    @property
    def steps(self):
        """Each system call since the store was first touched, as its name and how often it had been made."""
        counts, steps, has_begun = {}, [], False
        for line in self.lines:
            found = re.match(r"\d+ +(\w+)\(", line)
            if not found:
                continue
            counts[found[1]] = counts.get(found[1], 0) + 1
            has_begun = has_begun or "/shared/" in line
            if has_begun:
                steps.append((found[1], counts[found[1]]))
        return steps


def finish(process):
    try:
        output, error = process.communicate(timeout=PATIENCE)
        return process.returncode, output.strip(), error
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        return "hangs", "", ""


class Run:
    """`step` is a system call at which the first process is killed or stopped; `faults` is what the server does."""

    def __init__(self, name, mode, machines, step=None, stop=False, faults=(), pauses=(), length=None):
        self.name, self.mode, self.machines, self.step, self.stop = name, mode, machines, step, stop
        self.faults, self.pauses, self.length = faults, pauses, length
        self.first, self.results, self.wrongs = None, [], []

    def __str__(self):
        fault = f"{'stop' if self.stop else 'kill'} at {self.step}" if self.step else "no signal"
        hosts = " ".join(machine.name for machine in self.machines)
        return f"{self.name}: {self.mode}, {fault}, {self.faults or 'no fault'}, {hosts}"

    def begin(self, network, server):
        """Everything but the end: what the processes print."""
        document = server.login(self.name, self.mode)
        server.fault(self.name, *self.faults)
        while self.machines[0].run(network.oap, "store", "put", self.name, input=document)[0] == 11:
            pass
        words = [network.oap, "token", self.name]
        self.first = Traced(self.machines[0], words, self.step, self.stop)
        if self.step and not self.length:
            # The others meet what it left. Without the signal it has ended.
            self.first.stopped.wait()
        others = []
        for machine, pause in zip(self.machines[1:], [*self.pauses, *[0] * len(self.machines)]):
            threading.Event().wait(pause)
            others.append(machine.start(*words))
        if self.length:
            self.first.stopped.wait()
            threading.Event().wait(self.length)
            self.first.go_on()
        self.results = [finish(process) for process in others]
        self.first.go_on()
        self.results.insert(0, self.first.finish())

    def end(self, network, server, is_calm):
        """What each machine has at the end, and whether all is as it should be."""
        server.fault(self.name)
        ends = [machine.run(network.oap, "token", self.name) for machine in self.machines[:3]]
        login, requests = server.logins[self.name], server.requests(self.name)
        self.named, self.late = 0, 0
        for number, request in enumerate(requests):
            before = [other for other in requests[:number] if other["token"] == request["token"]]
            if not before:
                continue
            if network.was_named(self.name, request["time"]):
                self.named += 1
            elif self.stop and request["from"] == self.machines[0].address:
                self.late += 1
            else:
                self.wrongs.append(f"second request unnamed: {before} {request}")
        words = {output.strip() for status, output, _ in ends}
        statuses = {status for status, _, _ in ends}
        self.is_well = statuses == {0} and words == {f"at:{self.name}:0:{login.current}"} and login.current > 0
        if not self.is_well:
            self.judge_loss(login, requests, ends)
        for status, output, error in self.results:
            self.judge_process(status, output, error, login, is_calm)

    def judge_loss(self, login, requests, ends):
        """A login is asked for only where the server would refuse, and the answer is gone or came too late."""
        rotations = [request for request in requests if request["outcome"] == "rotated"]
        is_gone = any(request["fault"] in DOUBTS or not request.get("answered") for request in rotations)
        was_killed = self.step and not self.stop and not self.first.has_kept
        is_refused = login.revoked or bool(rotations) and any(
            request["outcome"] == "reused" for request in requests)
        if {status for status, _, _ in ends} != {8} or not (is_refused and (login.revoked or is_gone or was_killed)):
            self.wrongs.append(f"lost: {ends}, {requests}, current {login.current}, revoked {login.revoked}")

    def judge_process(self, status, output, error, login, is_calm):
        if status == 0:
            found = re.fullmatch(f"at:{self.name}:0:([0-9]+)", output)
            if found and 0 < int(found[1]) <= login.current:
                return
        elif status in (8, -9, 137) and (self.step or self.faults):
            return
        elif status in (6, 7, 12) and (self.faults or not is_calm):
            return
        elif status == 11 and not is_calm:
            return
        self.wrongs.append(f"ended with {status}: {output} {error}")
