"""The figures of docs/fleet.md: fleet.py PROGRAM [USERS [CONNECTIONS]] enables connections for generated users on one machine.

nginx answers at once, so that the figures are those of the program: in one process, and in a shard for each processor. Prints
users per second, peak memory, and the size of the journal and the stored tokens, and merges the reports of the shards."""

import json
import os
import subprocess
import sys
import tempfile
import time

from homes import identifier, settings
from server import CONNECTION, free_port, start_nginx
from users import KEY

# Every connection is disabled until it is enabled; nothing is remembered.
FOREVER_DISABLED = """
    listen 127.0.0.1:%(port)d;
    location ~ ^/v2/connections/([A-Za-z0-9]+)$ { return 200 '%(disabled)s'; }
    location ~ ^/v2/connections/([A-Za-z0-9]+)/enable$ { return 200 '%(enabled)s'; }
    location = /v2/user_token { return 200 '{"type":"user_token","user_token":"token-of-$arg_user_id"}'; }
    location / { return 404 '{}'; }
"""


def with_status(status):
    return CONNECTION.replace('"user_connection":null', f'"user_status":"{status}"')


class Machine:
    """A home folder with a token for each user, a file of the users, and one of the connections they shall have."""

    def __init__(self, program, folder, port, users, connections):
        self.program, self.folder, self.users = program, folder, users
        self.home = os.path.join(folder, "home")
        self.environment = settings(self.home, IFTTT_CONNECT_URL=f"http://127.0.0.1:{port}", IFTTT_SERVICE_KEY=KEY)
        self.file, self.wanted = os.path.join(folder, "users.jsonl"), os.path.join(folder, "wanted.json")
        with open(self.file, "w", encoding="utf-8") as file:
            file.writelines(f'{{"user_id":"u-{number:07}","access_token":"at-{number}"}}\n' for number in range(1, users + 1))
        with open(self.wanted, "w", encoding="utf-8") as file:
            entries = [{"id": identifier(number), "status": "enabled"} for number in range(connections)]
            json.dump({"version": 1, "connections": entries}, file)

    def timed(self, *commands):
        """Runs commands at once, and returns the time in seconds and the sum of their peaks of memory in MB."""
        start, peak = time.monotonic(), 0
        running = [os.posix_spawn(self.program, [self.program, *words], self.environment,
                                  file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]) for words in commands]
        for process in running:
            _, status, usage = os.wait4(process, 0)
            if status != 0:
                raise SystemExit(f"a command ended with status {os.waitstatus_to_exitcode(status)}")
            peak += usage.ru_maxrss / 1024
        return time.monotonic() - start, peak

    def exchange(self):
        return self.timed(["token", "exchange", "--users", self.file, "--jobs", "16", "--quiet"])

    def enable(self, shards):
        def command(number):
            selected = ["--shard", f"{number}/{shards}"] if shards > 1 else []
            return ["connections", "apply", self.wanted, "--users", self.file, *selected, "--yes", "--jobs", "16", "--quiet",
                    "--output", "jsonl", "--report", f"summary={self.report(number)}"]

        return self.timed(*map(command, range(1, shards + 1)))

    def report(self, number):
        return os.path.join(self.folder, f"shard-{number}.json")

    def disk(self):
        """The size of the databases in MB."""
        return sum(entry.stat().st_size for entry in os.scandir(self.home) if entry.name.startswith("ifttt.db")) / 1e6

    def show(self, task, figures):
        seconds, memory = figures
        print(f"{task:<34} {self.users / seconds:>7,.0f} users/s {seconds:>7.1f} s {memory:>7.1f} MB {self.disk():>8.1f} MB",
              flush=True)


def main(program, users="100000", connections="10"):
    print(f"{'':<34} {'':>15} {'time':>9} {'memory':>10} {'databases':>11}")
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-") as folder:
        port = free_port()
        nginx = start_nginx(folder, FOREVER_DISABLED % {
            "port": port, "disabled": with_status("disabled"), "enabled": with_status("enabled"),
        }, f"http://127.0.0.1:{port}/v2/connections/ready")
        try:
            machine = Machine(os.path.abspath(program), folder, port, int(users), int(connections))
            machine.show("exchange a token for each", machine.exchange())
            machine.show(f"enable {connections} each, one process", machine.enable(1))
            shards = os.cpu_count()
            machine.show(f"enable {connections} each, {shards} shards", machine.enable(shards))
            merged = subprocess.run([program, "report", "merge", *(machine.report(number + 1) for number in range(shards))],
                                    check=True, capture_output=True, text=True, env=machine.environment)
            print(merged.stdout, end="")
        finally:
            nginx.terminate()
            nginx.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
