"""Measures commands that change many connections, or compare them with a file: peak memory, and processor time.

Run as a program with the paths of two versions of `ifttt`, it compares their processor time: `changing.py BEFORE AFTER`."""

import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile

from homes import fill, identifier, settings
from measure import peak_memory, syncs
from stateful import StatefulServer
from users import written

KEY, TOKEN = "a-service-key-for-measuring", "a-token-for-measuring"


def environment_of(home, port):
    return settings(home, IFTTT_CONNECT_URL=f"http://127.0.0.1:{port}", IFTTT_SERVICE_KEY=KEY, IFTTT_USER_ID="u-1",
                    IFTTT_USER_TOKEN=TOKEN)


def write_file(path, count):
    """A file of connections, every second of which wants another value than the server has."""

    def wanted(number):
        note = "until the tide returns" if number % 2 else "until the moon rises"
        return {"id": identifier(number), "status": "enabled", "features": [
            {"feature": "mw4tq9hzjc", "enabled": True, "fields": {"scene": "sc_04", "note": note}}]}

    with open(path, "w", encoding="utf-8") as file:
        json.dump({"version": 1, "connections": [wanted(number) for number in range(count)]}, file)
    return path


def exchange(program, environment, folder, count):
    """Stores a token for each user of a file, and returns the file."""
    tokens = os.path.join(folder, f"tokens-{count}.jsonl")
    with open(tokens, "w", encoding="utf-8") as file:
        file.writelines(f'{{"user_id":"u-{number:07}","access_token":"at-{number}"}}\n' for number in range(1, count + 1))
    subprocess.run([program, "token", "exchange", "--users", tokens, "--quiet", "--jobs", "16"], env=environment, check=True,
                   stdout=subprocess.DEVNULL)
    return written(folder, count)


def peak(program, folder, count, words):
    """The peak memory of a command; `{file}` in its words is a file of that many connections."""
    home = os.path.join(folder, f"changing-{count}")
    file = os.path.join(folder, f"wanted-{count}.json")
    with StatefulServer() as server:
        if not os.path.exists(file):
            fill(program, home, count, server.port, IFTTT_SERVICE_KEY=KEY, IFTTT_USER_ID="u-1")
            write_file(file, count)
        return peak_memory([program, *(word.format(file=file) for word in words)], environment_of(home, server.port), runs=1)


@functools.cache
def lasting_peaks(program, folder, count):
    """The peak memory of disabling all connections, and of undoing it at the same server."""
    with StatefulServer() as server:
        home = os.path.join(folder, f"lasting-{count}")
        fill(program, home, count, server.port, IFTTT_SERVICE_KEY=KEY, IFTTT_USER_ID="u-1")
        return [peak_memory([program, "connections", *words, "--yes", "--output", "jsonl"], environment_of(home, server.port), runs=1)
                for words in (["disable", "--all"], ["undo"])]


def users_peak(program, folder, count):
    with StatefulServer() as server:
        environment = environment_of(os.path.join(folder, f"changing-users-{count}"), server.port)
        users = exchange(program, environment, folder, count)
        return peak_memory([program, "connections", "disable", identifier(1), "--users", users, "--yes", "--jobs", "16",
                            "--output", "jsonl"], environment, runs=1)


def users_syncs(program, folder, count=1000):
    with StatefulServer() as server:
        environment = environment_of(os.path.join(folder, "changing-syncs"), server.port)
        users = exchange(program, environment, folder, count)
        return syncs([program, "connections", "disable", identifier(1), "--users", users, "--yes", "--jobs", "16", "--quiet"],
                     environment)


def changing(report, program, folder):
    report.row("disable one of 1,000 users, waits for the disk", "40", 1, "", lambda: (users_syncs(program, folder), 40))
    for words in (["export", "--all"], ["diff", "{file}", "--json"], ["apply", "{file}", "--yes", "--json"]):
        command = ["connections", *words, "--as", "service", "--user-id", "u-1", "--max-age", "0"]
        if words[0] == "apply":
            command.remove("--as"), command.remove("service")
        report.row(f"{words[0]} 30,000, peak memory", "1,000", 2, "MB",
                   lambda command=command: (peak(program, folder, 30_000, command), peak(program, folder, 1000, command)))
    report.row("disable one of 15,000 users, peak memory", "1,000 users", 1.5, "MB",
               lambda: (users_peak(program, folder, 15_000), users_peak(program, folder, 1000)))
    for number, verb in enumerate(("disable", "undo")):
        report.row(f"{verb} 100,000, peak memory", "100 MB", 1, "MB",
                   lambda number=number: (lasting_peaks(program, folder, 100_000)[number], 100))


def processor_time(program, command, environment, stdin=None):
    """User and system time of a command, in seconds."""
    with tempfile.TemporaryFile() as words:
        words.write(stdin or b"")
        words.seek(0)
        process = subprocess.Popen([program, *command], env=environment, stdin=words, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(command)} ended with status {status}")
    return usage.ru_utime + usage.ru_stime


def compare(before, after, count=1000, runs=7):
    """Prints the processor time per item of both programs, which take turns, each on a server and a store of its own."""
    ids = "".join(f"{identifier(number)}\n" for number in range(count)).encode()
    options = ["--json", "--yes", "--jobs", "16"]
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-") as folder, StatefulServer() as one, StatefulServer() as other:
        file = write_file(os.path.join(folder, "wanted.json"), count)
        sides = []
        for name, program, server in (("before", before, one), ("after", after, other)):
            home = os.path.join(folder, name)
            environment = environment_of(home, server.port)
            fill(program, home, count, server.port, IFTTT_SERVICE_KEY=KEY, IFTTT_USER_ID="u-1")
            sides.append((program, environment, exchange(program, environment, folder, count)))
        tasks = (
            ("enable --stdin", lambda users: ["enable", "--stdin"], ["disable", "--stdin"], ids),
            ("enable ID --users", lambda users: ["enable", identifier(1), "--users", users],
             ["disable", identifier(1), "--users"], None),
            ("apply, half changed", lambda users: ["apply", file], ["undo"], None))
        print(f"{'processor time per item':<24} {'before':>9} {'after':>9}    {'ratio':>6}")
        for task, words, back, stdin in tasks:
            samples = ([], [])
            for _ in range(runs):
                for side, (program, environment, users) in zip(samples, sides):
                    undo = ["connections", *back, *([users] if back[-1] == "--users" else []), *options]
                    if task.startswith("enable"):
                        processor_time(program, undo, environment, stdin)
                    side.append(processor_time(program, ["connections", *words(users), *options], environment, stdin))
                    if not task.startswith("enable"):
                        processor_time(program, undo, environment, stdin)
            first, second = (statistics.median(side) / count * 1e6 for side in samples)
            print(f"{task:<24} {first:>6.0f} µs {second:>6.0f} µs {second / first:>8.2f}", flush=True)


if __name__ == "__main__":
    compare(*sys.argv[1:3])
