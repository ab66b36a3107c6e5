"""Compares commands for many users with curl, which sends the same requests and discards the responses."""

import os

from homes import identifier, settings
from measure import peak_memory, processor_times, times

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
    home = os.path.join(folder, "users")

    def environment(base):
        return settings(home, IFTTT_CONNECT_URL=base, IFTTT_SERVICE_KEY=KEY, SSL_CERT_FILE=server.certificates)

    def show(count, *words):
        return [program, "connections", "show", identifier(1), "--users", written(folder, count), "--as", "service",
                "--jobs", "16", "--output", "jsonl", *words]

    def against_curl(base, *words):
        path = os.path.join(folder, "users.curl")
        with open(path, "w", encoding="utf-8") as file:
            for number in range(1, COUNT + 1):
                file.write(f'url = "{base}/v2/connections/{identifier(1)}?user_id=u-{number:07}"\noutput = /dev/null\n')
        curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--header", f"IFTTT-Service-Key: {KEY}",
                "--cacert", server.certificates, "--config", path]
        # curl discards the responses, so this side discards its rows.
        return times(show(COUNT, *words), curl, environment(base), rounds=2, runs=4, warmup=1, output="null")

    plain, secure = f"http://127.0.0.1:{server.plain}", f"https://localhost:{server.secure}"
    for task, base, words, budget in (
            ("HTTP", plain, [], 1.05), ("HTTPS", secure, [], 1.05), ("of 2.4 KB", plain + "/2", [], 1.05),
            ("of 8.8 KB", plain + "/9", [], 1.2), ("of 8.8 KB, two fields", plain + "/9", ["--fields", "id,status"], 1.2)):
        report.row(f"show one for 10,000 users, {task}", "curl --parallel, 16 at once", budget, "ms",
                   lambda base=base, words=words: against_curl(base, *words))
    # A million requests take a minute, and the peak of a long run hardly varies.
    report.row("show one for 1,000,000 users, peak memory", "1,000 users", 1.5, "MB",
               lambda: (peak_memory(show(1_000_000), environment(plain), runs=1), peak_memory(show(1000), environment(plain))))


def exchanging_users(report, program, folder, server, count=1000):
    """POST requests. `token exchange` also stores each token."""
    path = os.path.join(folder, f"exchange-{count}.jsonl")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(
            f'{{"user_id":"u-{number:07}","access_token":"at-{number}"}}\n' for number in range(1, count + 1))
    exchange = [program, "token", "exchange", "--users", path, "--jobs", "16", "--quiet", "--output", "jsonl"]

    def against_curl(base, measured=lambda *sides: times(*sides, rounds=2, runs=4, warmup=1)):
        settings_file = os.path.join(folder, "exchange.curl")
        with open(settings_file, "w", encoding="utf-8") as file:
            for number in range(1, count + 1):
                file.write(f'url = "{base}/v2/user_token?user_id=u-{number:07}&access_token=at-{number}"\n'
                           'output = /dev/null\n')
        curl = ["curl", "--silent", "--parallel", "--parallel-max", "16", "--request", "POST", "--cacert",
                server.certificates, "--header", f"IFTTT-Service-Key: {KEY}", "--config", settings_file]
        home = os.path.join(folder, f"exchange-{base.split(':')[0]}")
        environment = settings(
            home, IFTTT_CONNECT_URL=base, IFTTT_SERVICE_KEY=KEY, SSL_CERT_FILE=server.certificates)
        return measured(exchange, curl, environment)

    report.row(f"exchange the tokens of {count:,} users, HTTP", "curl --parallel, 16 at once, POST", 1.3, "ms",
               lambda: against_curl(f"http://127.0.0.1:{server.plain}"))
    report.row(f"exchange the tokens of {count:,} users, HTTPS", "curl --parallel, 16 at once, POST", 1.5, "ms",
               lambda: against_curl(f"https://localhost:{server.secure}"))
    report.row(f"the same, HTTPS, processor time, {count:,}", "curl --parallel, 16 at once, POST", 2, "ms",
               lambda: against_curl(f"https://localhost:{server.secure}", processor_times))
