"""How batch verbs grow: growth.py PROGRAM [COUNT…] prints the processor time for each connection or user, and the peak memory.

Each verb runs once for 100, 1,000, 10,000 and 100,000 of them, unless counts are given. Time that does not depend on the
count is a large part of the first column."""

import os
import sys
import tempfile

from changing import KEY, environment_of, exchange, write_file
from homes import fill, identifier
from stateful import StatefulServer

COUNTS = (100, 1000, 10_000, 100_000)
OPTIONS = ["--yes", "--jobs", "16", "--output", "jsonl"]


def measured(program, words, environment, stdin=None):
    """The processor time in seconds, and the peak memory in MB, of a command whose output is discarded."""
    with open(stdin or os.devnull, "rb") as words_on_stdin, open(os.devnull, "wb") as nowhere:
        # posix_spawn leaves no copy of this interpreter's memory in the peak of the command.
        actions = [(os.POSIX_SPAWN_DUP2, words_on_stdin.fileno(), 0), (os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)]
        process = os.posix_spawn(program, [program, *words], environment, file_actions=actions)
        _, status, usage = os.wait4(process, 0)
    if status != 0:
        raise SystemExit(f"{' '.join(words[:3])} ended with status {os.waitstatus_to_exitcode(status)}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def verbs(folder, count, users):
    """Each verb with its words, and whether it reads ids from stdin. The order leaves each verb something to do."""
    wanted = write_file(os.path.join(folder, f"wanted-{count}.json"), count)
    one = identifier(1)
    yield "connections list --refresh", ["connections", "list", "--refresh", "-o", "jsonl"], False
    yield "connections disable --stdin", ["connections", "disable", "--stdin", *OPTIONS], True
    yield "connections enable --stdin", ["connections", "enable", "--stdin", *OPTIONS], True
    yield "connections export --all", ["connections", "export", "--all", "--max-age", "0", "--jobs", "16"], False
    yield "connections diff FILE", ["connections", "diff", wanted, "--max-age", "0", "-o", "jsonl", "--jobs", "16"], False
    yield "connections apply FILE", ["connections", "apply", wanted, *OPTIONS], False
    yield "connections undo", ["connections", "undo", *OPTIONS], False
    yield "connections show ID --users", ["connections", "show", one, "--users", users, *OPTIONS[1:]], False
    yield "connections disable ID --users", ["connections", "disable", one, "--users", users, *OPTIONS], False
    yield "connections enable ID --users", ["connections", "enable", one, "--users", users, *OPTIONS], False


def main(program, *counts):
    program = os.path.abspath(program)
    counts = [int(count) for count in counts] or COUNTS
    rows = {}
    for count in counts:
        with tempfile.TemporaryDirectory(prefix="ifttt-bench-") as folder, StatefulServer() as server:
            home = os.path.join(folder, "home")
            environment = environment_of(home, server.port)
            fill(program, home, count, server.port, IFTTT_SERVICE_KEY=KEY, IFTTT_USER_ID="u-1")
            users = exchange(program, environment, folder, count)
            ids = os.path.join(folder, "ids")
            with open(ids, "w", encoding="ascii") as file:
                file.writelines(f"{identifier(number)}\n" for number in range(count))
            for verb, words, reads_ids in verbs(folder, count, users):
                rows.setdefault(verb, []).append(measured(program, words, environment, ids if reads_ids else None))
    print(f"{'':<32}" + "".join(f"{count:>20,}" for count in counts))
    for verb, figures in rows.items():
        cells = (f"{seconds / count * 1e6:,.0f} µs {memory:5.1f} MB" for count, (seconds, memory) in zip(counts, figures))
        print(f"{verb:<32}" + "".join(f"{cell:>20}" for cell in cells))


if __name__ == "__main__":
    main(*sys.argv[1:])
