"""The server of users.py, which holds a request back so that its sender can be killed, and reports the changes it made.

    changes.py FOLDER

Prints its port. Each line of stdin is a command:

    hold N WHEN   Hold the N-th request from now and print `held`. Its response is never sent. WHEN tells how far it
                  came: `before` the change was made, `after` it, or `half` of its response was sent.
    report        Print a JSON object: the `requests` since the last report, the `changes` that were made, as arrays of
                  user, path and verb, and the `states` of all subjects that were ever changed or read.

The changes of a subject whose id contains `lost-` are made without a response. A connection named `conf-turns-…` is
configured when it is read first, and pending from then on.

The server exits when its stdin ends.
"""
import asyncio
import json
import sys

import configuring
import users


class Changes(users.Users):
    requests = 0
    changes = []
    known = {}
    hold = None

    def receive(self, *request):
        Changes.requests += 1
        self.held = None
        if Changes.hold and Changes.hold[0] == Changes.requests:
            self.held, Changes.hold = Changes.hold[1], None
        if self.held == "before":
            announce("held")
        else:
            super().receive(*request)

    def accept(self, user, path, verb):
        Changes.changes.append([user, path, verb])
        if "lost-" in path:
            self.held = "lost"

    def subject(self, path, user):
        if (user, path) in Changes.known and "/conf-turns-" in path:
            Changes.configured[user, path] = []
        Changes.known[user, path] = None
        return super().subject(path, user)

    def write(self, answer):
        if self.held == "lost":
            return self.transport.abort()
        if not self.held:
            return super().write(answer)
        if self.held == "half":
            super().write(answer[:len(answer) // 2])
        announce("held")


def announce(words):
    sys.stdout.write(words + "\n")
    sys.stdout.flush()


def state(user, path):
    found = {"user": user, "path": path, "status": Changes.status(path, user)}
    if path.split("/")[-1].startswith("conf-"):
        features = Changes.configured.get((user, path), configuring.first_configuration(path.split("/")[-1]))
        fields = [one for feature in features for one in feature["user_fields"]]
        found["fields"] = {one["field_id"]: one["value"].get("label") if isinstance(one["value"], dict) else one["value"]
                           for one in fields}
    return found


def report():
    announce(json.dumps({
        "requests": Changes.requests, "changes": Changes.changes, "states": [state(*known) for known in Changes.known]}))
    Changes.requests, Changes.changes, Changes.hold = 0, [], None


async def commands():
    loop, lines = asyncio.get_running_loop(), asyncio.StreamReader()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(lines), sys.stdin)
    while line := (await lines.readline()).decode().split():
        if line[0] == "hold":
            Changes.hold = (Changes.requests + int(line[1]), line[2])
        else:
            # What a killed program sent before has arrived, and is received in this turn of the loop.
            for _ in range(2):
                await asyncio.sleep(0)
            report()


asyncio.run(users.main(Changes, commands))
