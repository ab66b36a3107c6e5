"""Measures whole processes: time by hyperfine, the two sides taking turns; peak memory by wait4(2)."""

import json
import os
import shlex
import statistics
import subprocess
import tempfile

ROUNDS = 4
RUNS = 10


def times(ours, theirs, environment, rounds=ROUNDS, runs=RUNS, warmup=3):
    """The medians, in milliseconds, over `rounds` times `runs` runs of each."""
    samples = ([], [])
    for _ in range(rounds):
        with tempfile.NamedTemporaryFile(suffix=".json") as export:
            subprocess.run(
                ["hyperfine", "--shell=none", "--style=none", f"--warmup={warmup}", f"--runs={runs}",
                 "--output=pipe", f"--export-json={export.name}", shlex.join(ours), shlex.join(theirs)],
                env=environment, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            for side, result in zip(samples, json.load(export)["results"]):
                side.extend(result["times"])
    return tuple(statistics.median(side) * 1000 for side in samples)


def peak_memory(command, environment):
    """In MB, the median of 5 runs."""
    peaks = []
    for _ in range(5):
        process = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        while process.stdout.read(1 << 20):
            pass
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            raise SystemExit(f"{shlex.join(command)}: exit {process.returncode}")
        peaks.append(usage.ru_maxrss / (1 << 20 if os.uname().sysname == "Darwin" else 1 << 10))
    return statistics.median(peaks)
