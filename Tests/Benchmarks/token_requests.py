"""Asks the sandbox that runs this for tokens, over one connection: COUNT times, after so many that its tables are full.

Prints the median time of a request and the processor's time that the sandbox took for one, in ms; then its resident
memory before and after them, in MiB.
"""

import base64
import http.client
import os
import statistics
import sys
import time
import urllib.parse

url = urllib.parse.urlsplit(os.environ["OAP_TOKEN_ENDPOINT"])
client = f"{os.environ['OAP_CLIENT_ID']}:{os.environ['OAP_CLIENT_SECRET']}"
headers = {
    "Content-Type": "application/x-www-form-urlencoded",
    "Authorization": "Basic " + base64.b64encode(client.encode()).decode(),
}
connection = http.client.HTTPConnection(url.netloc)
sandbox = os.getppid()


def request(count):
    """The times that requests took, in seconds."""
    times = []
    for _ in range(count):
        start = time.perf_counter()
        connection.request("POST", url.path, "grant_type=client_credentials", headers)
        answer = connection.getresponse()
        answer.read()
        times.append(time.perf_counter() - start)
        assert answer.status == 200, answer.status
    return times


def processor_time():
    """What the sandbox has used of the processor, in seconds (proc(5))."""
    with open(f"/proc/{sandbox}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory():
    """What the sandbox has resident, in MiB."""
    with open(f"/proc/{sandbox}/status", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmRSS:")) / 1024


request(10_000)
before, start = memory(), processor_time()
times = request(int(sys.argv[1]))
own = (processor_time() - start) / len(times)
print(f"{statistics.median(times) * 1000:.3f} {own * 1000:.3f} {before:.1f} {memory():.1f}")
