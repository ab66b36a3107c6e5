"""Prints the order in which the linker should put functions and variables, so that common commands touch few pages: the
functions that the measured commands run, beginning with those that all of them run, and then the variables without initial
values that a command uses.

    order.py PROGRAM             a program with symbols
"""

import bisect
import os
import re
import subprocess
import sys
import tempfile

from instructions import COMMANDS, prepared

# Where valgrind loads a position-independent program.
LOADED_AT = 0x108000


def valgrind(tool, options, command, environment, **more):
    return subprocess.Popen(
        ["valgrind", f"--tool={tool}", *options, *command],
        env={**environment, "SWIFT_DETERMINISTIC_HASHING": "1"}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True, **more)


def functions(command, environment):
    """The functions of the program that a command runs, with their mangled names."""
    with tempfile.NamedTemporaryFile(prefix="ifttt-order-") as file:
        options = ["--demangle=no", "--compress-strings=no", "--compress-pos=no", f"--callgrind-out-file={file.name}"]
        with valgrind("callgrind", options, command, environment) as run:
            run.communicate()
        if run.returncode:
            sys.exit(f"{' '.join(command)} failed")
        found, is_own = set(), False
        with open(file.name, encoding="utf-8") as lines:
            for line in lines:
                # A function (fn) is listed after the file (ob) that contains it.
                if line.startswith("ob="):
                    is_own = os.path.basename(line.rstrip()) == os.path.basename(command[0])
                elif line.startswith("fn=") and is_own:
                    # A number after an apostrophe marks the calls of a recursive function.
                    found.add(line.rstrip()[3:].split("'")[0])
        return {name for name in found if name != "???" and not name.startswith("0x")}


class Variables:
    """The variables of a program that have no initial values, which are in its section .bss."""

    def __init__(self, program):
        header = subprocess.run(["readelf", "-SWh", program], capture_output=True, text=True, check=True).stdout
        start, size = re.search(r" \.bss +NOBITS +([0-9a-f]+) [0-9a-f]+ ([0-9a-f]+) ", header).groups()
        self.start, self.end = int(start, 16), int(start, 16) + int(size, 16)
        self.entry = int(re.search(r"Entry point address: +0x([0-9a-f]+)", header).group(1), 16)
        symbols = subprocess.run(["nm", "--numeric-sort", program], capture_output=True, text=True, check=True).stdout
        named = [line.rstrip().split(" ", 2) for line in symbols.splitlines() if line[:1] != " "]
        self.named = [(int(address, 16), name) for address, _, name in named
                      if self.start <= int(address, 16) < self.end]
        self.addresses = [address for address, _ in self.named]

    def used(self, command, environment):
        """The names of the variables that a command reads or writes."""
        names, entry, has_entered = set(), f"I  {LOADED_AT + self.entry:08x},", False
        with valgrind("lackey", ["--trace-mem=yes"], command, environment) as run:
            for line in run.stderr:
                if line.startswith((" L ", " S ", " M ")):
                    place = bisect.bisect_right(self.addresses, int(line[3:].split(",")[0], 16) - LOADED_AT)
                    if 0 < place < len(self.named):
                        names.add(self.named[place - 1][1])
                elif not has_entered:
                    has_entered = line.startswith(entry)
        if run.returncode or not has_entered:
            sys.exit(f"{' '.join(command)} failed, or valgrind did not load it at {LOADED_AT:#x}")
        return names


def main():
    users, used = {}, set()
    with prepared(sys.argv[1]) as (program, environment):
        variables = Variables(program)
        for number, words in enumerate(COMMANDS.values()):
            command = [program, *words]
            for name in functions(command, environment):
                users.setdefault(name, []).append(number)
            used |= variables.used(command, environment)
    for name, _ in sorted(users.items(), key=lambda item: (-len(item[1]), item[1], item[0])):
        print(name)
    for name in sorted(used - users.keys()):
        print(name)
    return 0


if __name__ == "__main__":
    sys.exit(main())
