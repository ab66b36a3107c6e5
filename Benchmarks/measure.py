"""Measures whole processes: time with hyperfine, the two sides taking turns, and peak memory with GNU time."""

import json
import os
import shlex
import shutil
import statistics
import subprocess
import tempfile

ROUNDS = 4
RUNS = 10


def times(ours, theirs, environment, rounds=ROUNDS, runs=RUNS, warmup=3, their_environment=None, output="pipe"):
    """The medians, in milliseconds, over `rounds` times `runs` runs of each.

    `output` is where both write: to a `pipe` that is read, as in a script, or to `null`."""
    samples = ([], [])

    def measure(sides, commands, environment):
        with tempfile.NamedTemporaryFile(suffix=".json") as export:
            finished = subprocess.run(
                ["hyperfine", "--shell=none", "--style=none", f"--warmup={warmup}", f"--runs={runs}",
                 f"--output={output}", f"--export-json={export.name}", *map(shlex.join, commands)],
                env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            # Ignore its warnings about outliers: the median handles them.
            if finished.returncode != 0:
                raise SystemExit(finished.stdout)
            for side, result in zip(sides, json.load(export)["results"]):
                side.extend(result["times"])

    for _ in range(rounds):
        if their_environment is None:
            measure(samples, [ours, theirs], environment)
        else:
            measure(samples[:1], [ours], environment)
            measure(samples[1:], [theirs], their_environment)
    return tuple(statistics.median(side) * 1000 for side in samples)


def processor_times(ours, theirs, environment, rounds=7):
    """The medians of the user and system time in milliseconds, of commands that take turns."""
    samples = ([], [])
    for _ in range(rounds):
        for side, command in zip(samples, (ours, theirs)):
            # curl shows its progress in spite of --silent if its requests run in parallel.
            with tempfile.TemporaryFile() as errors:
                process = subprocess.Popen(
                    command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors)
                _, status, usage = os.wait4(process.pid, 0)
                if status != 0:
                    errors.seek(0)
                    raise SystemExit(f"{command[0]} ended with status {os.waitstatus_to_exitcode(status)}: {errors.read()}")
            side.append((usage.ru_utime + usage.ru_stime) * 1000)
    return tuple(statistics.median(side) for side in samples)


def syncs(command, environment):
    """How often a command waits for the disk, counted with strace."""
    with tempfile.NamedTemporaryFile(mode="r") as report:
        subprocess.run(["strace", "-f", "-e", "trace=fsync,fdatasync", "-o", report.name, *command], env=environment, check=True,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        return sum("sync(" in line for line in report)


def peak_memory(command, environment, runs=5):
    """The median, in MB. wait4(2) would count the memory of this interpreter, so use GNU time."""
    peaks = []
    for _ in range(runs):
        with tempfile.NamedTemporaryFile(mode="r") as report:
            clock = shutil.which("gtime") or "/usr/bin/time"
            finished = subprocess.run(
                [clock, "-f", "%M", "-o", report.name, *command], env=environment, stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            if finished.returncode != 0:
                raise SystemExit(finished.stderr)
            peaks.append(int(report.read()) / 1024)
    return statistics.median(peaks)
