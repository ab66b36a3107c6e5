"""Counts the instructions of a few commands with callgrind. Unlike times, the counts hardly vary between runs.

    instructions.py PROGRAM [BEFORE]     prints the counts, and the difference from another version of the program
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager

from homes import fill
from server import Server


def count(command, environment):
    # Without a fixed seed, the order of sets and dictionaries differs in each run.
    run = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *command],
        env={**environment, "SWIFT_DETERMINISTIC_HASHING": "1"}, stdin=subprocess.DEVNULL, capture_output=True,
        text=True, check=True)
    return int(re.search(r"Collected : (\d+)", run.stderr).group(1))


# The commands of a day's work, and those that a shell runs.
COMMANDS = {
    "--version": ["--version"],
    "--help": ["--help"],
    "complete an id, 1,000 tracked": ["__complete", "connection-id", "--command=connections show", "--", "K"],
    "list 1,000 as JSON": ["connections", "list", "--offline", "--json"],
    "list 1,000 as a table": ["connections", "list", "--offline"],
    "show one, live": ["connections", "show", "Kd7Rn2Qx", "--json", "--max-age", "0"],
}


@contextmanager
def prepared(program):
    """A copy of the program and an environment, for the commands."""
    with tempfile.TemporaryDirectory(prefix="ifttt-instructions-") as folder, Server() as server:
        program = shutil.copy(program, os.path.join(folder, "ifttt"))
        home = os.path.join(folder, "home")
        fill(program, home, 1000, server.plain)
        # The dynamic linker and the program read the whole environment, so the caller's would affect the counts.
        kept = {name: os.environ[name] for name in ("HOME", "PATH") if name in os.environ}
        yield program, {**kept, "IFTTT_HOME": home, "IFTTT_CONNECT_URL": f"http://127.0.0.1:{server.plain}"}


def counted(program):
    with prepared(program) as (program, environment):
        return {task: count([program, *words], environment) for task, words in COMMANDS.items()}


def main():
    counts, *before = [counted(program) for program in sys.argv[1:3]]
    for task, count in counts.items():
        change = f"{100 * (count / before[0][task] - 1):>+7.1f} %" if before else ""
        print(f"{task:<32} {count:>12,}{change}")


if __name__ == "__main__":
    main()
