"""Compares the sandbox server with nginx, which serves the same bytes from memory: requests per second, one core each."""

import json
import os
import re
import statistics
import subprocess
import tempfile

from server import fetched, free_port, start_nginx

CLIENTS = 16
SECONDS = 2
ROUNDS = 5

FILES = """
    listen 127.0.0.1:%(port)d;
    root %(folder)s/files;
"""


def rate(url):
    """The requests per second that wrk completes over its connections."""
    words = ["wrk", "--threads", "1", "--connections", str(CLIENTS), "--duration", f"{SECONDS}s", url]
    report = subprocess.run(words, check=True, capture_output=True, text=True).stdout
    if "Non-2xx" in report or "Socket errors" in report:
        raise SystemExit(report)
    return float(re.search(r"Requests/sec:\s*([0-9.]+)", report).group(1))


def rates(program, environment):
    """The medians of the two sides, which take turns."""
    path = "/v2/connections/Kd7Rn2Qx"
    sandbox = subprocess.Popen([program, "sandbox", "start", "--json"], env=environment, stdout=subprocess.PIPE)
    base = json.loads(sandbox.stdout.readline())["url"]
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-nginx-") as folder:
        os.makedirs(f"{folder}/files/v2/connections")
        with open(f"{folder}/files{path}", "wb") as file:
            file.write(fetched(base + path))
        port = free_port()
        other = f"http://127.0.0.1:{port}{path}"
        nginx = start_nginx(folder, FILES % {"folder": folder, "port": port}, other)
        try:
            samples = [(rate(base + path), rate(other)) for _ in range(ROUNDS)]
        finally:
            for process in (nginx, sandbox):
                process.terminate()
                process.wait()
    return tuple(statistics.median(side) for side in zip(*samples))
