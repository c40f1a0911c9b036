#!/usr/bin/env python3
"""Reads an API with a token that oap keeps: `read_token.py NAME https://api.example/me`."""

import subprocess
import sys
import urllib.request


def authorization(name):
    """The name and the value of the header field; raises CalledProcessError, with status 8 when a login is needed."""
    oap = subprocess.run(["oap", "token", name, "--header"], check=True, stdout=subprocess.PIPE, text=True)
    return oap.stdout.rstrip("\n").split(": ", 1)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} NAME URL")
    request = urllib.request.Request(sys.argv[2])
    # Not for the place that a redirect leads to.
    request.add_unredirected_header(*authorization(sys.argv[1]))
    with urllib.request.urlopen(request) as answer:
        sys.stdout.buffer.write(answer.read())
