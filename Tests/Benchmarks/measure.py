"""Runs commands and measures them: time in pairs, and peak memory."""

import os
import shlex
import statistics
import subprocess
import tempfile
import time


def start(line, output, error):
    """Starts the programs of `A | B < FILE`; the ids of their processes. A word | or < must be unquoted to be one."""
    words, source = shlex.split(line), "/dev/null"
    if "<" in words:
        at = words.index("<")
        source = words[at + 1]
        del words[at : at + 2]
    given, programs = os.open(source, os.O_RDONLY), [[]]
    for word in words:
        if word == "|":
            programs.append([])
        else:
            programs[-1].append(word)
    processes = []
    for program in programs:
        ends = os.pipe() if program is not programs[-1] else (None, output)
        actions = [(os.POSIX_SPAWN_DUP2, given, 0), (os.POSIX_SPAWN_DUP2, ends[1], 1), (os.POSIX_SPAWN_DUP2, error, 2)]
        processes.append(os.posix_spawnp(program[0], program, os.environ, file_actions=actions))
        os.close(given)
        if ends[0] is not None:
            os.close(ends[1])
        given = ends[0]
    return processes


def run(line, output):
    """The seconds until all programs of a line have ended. Fails where one of them fails."""
    with tempfile.TemporaryFile() as error:
        begin = time.perf_counter()
        statuses = [os.waitpid(process, 0)[1] for process in start(line, output.fileno(), error.fileno())]
        elapsed = time.perf_counter() - begin
        if any(statuses):
            error.seek(0)
            raise RuntimeError(f"{line}: {error.read().decode(errors='replace')}")
    return elapsed


def output(line):
    """What a line writes."""
    with tempfile.TemporaryFile() as file:
        run(line, file)
        file.seek(0)
        return file.read()


def pairs(ours, theirs, count):
    """Runs both so often, in turns: the medians of their times in ms, and of the ratios of the pairs."""
    with open(os.devnull, "wb") as nothing:
        times = [(run(ours, nothing), run(theirs, nothing)) for _ in range(count)]
    medians = [statistics.median(pair[side] for pair in times) * 1000 for side in (0, 1)]
    return *medians, statistics.median(own / other for own, other in times)


def peak(line, input_file=os.devnull):
    """The most memory in MiB that a program of one line had resident, as GNU time says."""
    with tempfile.NamedTemporaryFile("r") as report, open(input_file, "rb") as given:
        command = ["/usr/bin/time", "--format", "%M", "--output", report.name, *shlex.split(line)]
        subprocess.run(command, stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        return int(report.read()) / 1024
