"""Counts the instructions of a few commands with callgrind. Unlike times, the counts hardly vary between runs.

    instructions.py PROGRAM             counts and records them in instructions.json
    instructions.py PROGRAM --check     counts, and fails if a count grew by more than 3 %
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager

from homes import fill
from server import Server

RECORD = os.path.join(os.path.dirname(__file__), "instructions.json")
LIMIT = 1.03


def system():
    """What the counts depend on, besides the program."""
    compiler = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True)
    version = re.search(r"Swift version (\S+)", compiler.stdout + compiler.stderr).group(1)
    release = platform.freedesktop_os_release()
    return f"{release['ID']} {release.get('VERSION_ID', '')}, {platform.machine()}, Swift {version}"


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
    # The first completion after a change saves the ids for the next one.
    "complete an id after a change": ["__complete", "connection-id", "--command=connections show", "--", ""],
    "complete an id, 1,000 tracked": ["__complete", "connection-id", "--command=connections show", "--", ""],
    "list 1,000 as JSON": ["connections", "list", "--offline", "--json"],
    "list 1,000 as a table": ["connections", "list", "--offline"],
    "show one, live": ["connections", "show", "Kd7Rn2Qx", "--json", "--no-track", "--max-age", "0"],
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


def compare(recorded, found):
    """Prints all counts. Returns whether one grew beyond the limit."""
    has_grown = False
    for task, now in found.items():
        before = recorded.get(task)
        if before is None:
            continue
        is_over = now > before * LIMIT
        has_grown = has_grown or is_over
        print(f"{task:<32} {before:>12,} {now:>12,} {100 * (now / before - 1):>+7.1f} %{'  OVER' if is_over else ''}")
    return has_grown


def main():
    program, checks = sys.argv[1], "--check" in sys.argv[2:]
    here = system()
    if not checks:
        with open(RECORD, "w", encoding="utf-8") as file:
            json.dump({"system": here, "instructions": counted(program)}, file, indent=2)
            file.write("\n")
        return 0
    with open(RECORD, encoding="utf-8") as file:
        record = json.load(file)
    if record["system"] != here:
        print(f"skipped: the instructions were recorded on {record['system']}, and this is {here}")
        return 0
    if not compare(record["instructions"], counted(program)):
        return 0
    print("If the growth is worth it, run script/instructions and commit Benchmarks/instructions.json.")
    return 1


if __name__ == "__main__":
    sys.exit(main())
