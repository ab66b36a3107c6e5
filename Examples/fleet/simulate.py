#!/usr/bin/env python3
"""Computes how long a change for many users takes in 1, 8, 64 and 512 shards, with machines that die. No network.

    simulate.py [--users 1000000] [--connections 10] [--rate 50] [--latency 150] [--deaths 0.2] [--seed 1]

The same seed gives the same result. What the program does is modeled after its documented behavior: a shard is selected by
the SHA-256 of the user id, each connection is read and then changed if it differs, up to --jobs requests are in flight, and
no more than --rate requests begin in a second. A machine that dies takes its requests in flight with it: the server may have
received them or not. Its shard begins again on another machine after --restart seconds, from its first user; with
--keep-disk, it is resumed from the journal. The exit status is 1 if a connection was changed twice or not at all.
"""

import argparse
import hashlib
import heapq
import random
import sys

# Results wait in memory until the journal writes this many, so a machine that dies has not recorded the last ones.
UNRECORDED = 1024


def shard_of(user, count):
    """The first 8 bytes of the SHA-256 as a number, times the count, shifted right by 64 bits; counted from 1."""
    return (int.from_bytes(hashlib.sha256(user.encode()).digest()[:8], "big") * count >> 64) + 1


class Latencies:
    """Latencies in seconds with a long tail, drawn in advance: most near the median, one of a hundred three times as long."""

    def __init__(self, median, generator):
        self.values = [median * generator.lognormvariate(0, 0.47) for _ in range(65_537)]
        self.next = 0

    def draw(self):
        self.next = (self.next + 1) % len(self.values)
        return self.values[self.next]


class Shard:
    """The connections of one shard, and what became of them."""

    def __init__(self, count, options, latencies, generator):
        self.options, self.latencies, self.generator = options, latencies, generator
        # For each connection: how often the server changed it, and whether a journal that was kept says so.
        self.changes, self.recorded = bytearray(count), bytearray(count)
        self.requests = self.deaths = 0

    def duration(self):
        """The time until all is done, in seconds. Each attempt but the last ends with the death of the machine."""
        time = 0
        alone = len(self.changes) * 2 * max(
            1 / self.options.rate, self.options.processor / 2000, self.options.latency / 1000 / self.options.jobs)
        while True:
            dies = self.generator.random() < self.options.deaths
            death = self.generator.random() * alone if dies else float("inf")
            end = self.attempt(death)
            if end <= death:
                return time + end
            self.deaths += 1
            time += death + self.options.restart

    def attempt(self, death):
        """Reads and changes what is left, until the machine dies.

        Returns when the last request ended; a time after the death if it is reached."""
        options, draw = self.options, self.latencies.draw
        interval = max(1 / options.rate, options.processor / 2000)
        slots, begin, ended = [0.0] * options.jobs, 0.0, []
        for number, count in enumerate(self.changes):
            if self.recorded[number]:
                continue
            start = max(slots[0], begin)
            if start >= death:
                break
            read = start + draw()
            self.requests += 1
            begin = start + interval
            end = read
            if read < death and (count == 0 or options.blind):
                write = max(read, begin)
                latency = draw()
                end = write + latency
                self.requests += 1
                begin += interval
                # The server receives a request half way; the machine may be dead when its response arrives.
                if write + latency / 2 < death:
                    self.changes[number] += 1
            heapq.heapreplace(slots, end)
            if options.keep_disk and death < float("inf") and end < death:
                ended.append((end, number))
        else:
            if max(slots) <= death:
                return max(slots)
        for _, number in sorted(ended)[:-UNRECORDED]:
            self.recorded[number] = 1
        return float("inf")


def simulate(count, users, options):
    """Runs all shards, each on a machine of its own, and returns a row of the table."""
    generator = random.Random(f"{options.seed}/{count}")
    sizes = [0] * count
    for user in users:
        sizes[shard_of(user, count) - 1] += 1
    latencies = Latencies(options.latency / 1000, generator)
    longest = requests = deaths = wrong = 0
    for size in sizes:
        shard = Shard(size * options.connections, options, latencies, generator)
        longest = max(longest, shard.duration())
        requests += shard.requests
        deaths += shard.deaths
        wrong += len(shard.changes) - shard.changes.count(1)
    return count, min(sizes), max(sizes), deaths, longest, requests, wrong


def clock(seconds):
    minutes, seconds = divmod(round(seconds), 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--users", type=int, default=1_000_000)
    parser.add_argument("--connections", type=int, default=10, help="per user")
    parser.add_argument("--shards", type=int, nargs="+", default=[1, 8, 64, 512])
    parser.add_argument("--jobs", type=int, default=16, help="requests in flight, of each shard")
    parser.add_argument("--rate", type=float, default=50, help="requests per second, of each shard")
    parser.add_argument("--latency", type=float, default=150, help="median in milliseconds")
    parser.add_argument("--processor", type=float, default=0.5, help="milliseconds per connection that is changed")
    parser.add_argument("--deaths", type=float, default=0.2, help="the share of machines that die before they are done")
    parser.add_argument("--restart", type=float, default=60, help="seconds until another machine begins")
    parser.add_argument("--keep-disk", action="store_true", help="resume with the journal of the machine that died")
    parser.add_argument("--blind", action="store_true", help="change again without reading, which the program never does")
    parser.add_argument("--seed", default="1")
    options = parser.parse_args()
    users = [f"u-{number:07}" for number in range(1, options.users + 1)]
    total = options.users * options.connections
    print(f"{options.users:,} users with {options.connections} connections: {total:,} changes")
    print(f"{'shards':>6}  {'users of a shard':>19}  {'deaths':>6}  {'time':>9}  {'requests':>11}  {'repeated':>8}"
          f"  {'a second':>8}  not once")
    failed = False
    for count in options.shards:
        count, least, most, deaths, time, requests, wrong = simulate(count, users, options)
        failed = failed or wrong > 0
        repeated = requests / (2 * total) - 1
        print(f"{count:>6}  {f'{least:,} to {most:,}':>19}  {deaths:>6}  {clock(time):>9}  {requests:>11,}  {repeated:>8.1%}"
              f"  {requests / time:>8,.0f}  {wrong:>8,}", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
