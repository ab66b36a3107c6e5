"""Compares `connections show` for many users with curl, which requests the same URLs and discards the responses."""

import os

from homes import identifier, settings
from measure import peak_memory, times

COUNT = 10_000
KEY = "a-service-key-for-measuring"


def written(folder, count):
    """A file with the users."""
    path = os.path.join(folder, f"users-{count}.jsonl")
    if not os.path.exists(path):
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'{{"user_id":"u-{number:07}"}}\n' for number in range(1, count + 1))
    return path


def showing_users(report, program, folder, server):
    base = f"http://127.0.0.1:{server.plain}"
    environment = settings(os.path.join(folder, "users"), IFTTT_CONNECT_URL=base, IFTTT_SERVICE_KEY=KEY)

    def show(count):
        return [program, "connections", "show", identifier(1), "--users", written(folder, count), "--as", "service",
                "--jobs", "16", "--output", "jsonl"]

    def against_curl():
        path = os.path.join(folder, "users.curl")
        with open(path, "w", encoding="utf-8") as file:
            for number in range(1, COUNT + 1):
                file.write(f'url = "{base}/v2/connections/{identifier(1)}?user_id=u-{number:07}"\noutput = /dev/null\n')
        curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--header", f"IFTTT-Service-Key: {KEY}",
                "--config", path]
        return times(show(COUNT), curl, environment, rounds=2, runs=4, warmup=1)

    report.row("show one for 10,000 users, live, HTTP", "curl --parallel, 16 at once", 1.2, "ms", against_curl)
    # A million requests take a minute, and the peak of a long run hardly varies.
    report.row("show one for 1,000,000 users, peak memory", "1,000 users", 1.5, "MB",
               lambda: (peak_memory(show(1_000_000), environment, runs=1), peak_memory(show(1000), environment)))
