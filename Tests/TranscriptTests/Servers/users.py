"""IFTTT's Connect API for any number of users of one service, which records when each request arrives.

    users.py FOLDER

Prints its port. Each line of FOLDER/log is the time of an arrival in seconds, the method, the path and the user, as a
JSON array. The beginning of a user's id tells what happens:

    denied-…   401 each time; also slow-denied-…
    flaky-…    503 the first time
    limited-…  429 with Retry-After: 2 the first time
    slow-…     the response is held back until 50 other requests have arrived

A user's own token enables and disables the connection. A connection named `conf-…` has the features of configuring.py.
One named `off-…` is disabled at first, one named `new-…` was never enabled. Applets of any id are enabled and disabled
in the same way.

The server exits when its stdin ends.
"""
import asyncio
import json
import sys
import time
import urllib.parse

import configuring

KEY = "key-lampost-9JtE9uFa6RiOxQ1lDyVwBk"


def token(user):
    return "ut_" + user + "_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga"


class Users(asyncio.Protocol):
    log = None
    seen = {}
    arrivals = 0
    held = []
    statuses = {}
    configured = {}

    def connection_made(self, transport):
        self.transport, self.buffer = transport, b""

    def data_received(self, data):
        self.buffer += data
        while b"\r\n\r\n" in self.buffer:
            now = time.monotonic()
            head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
            lines = head.decode().split("\r\n")
            method, target, _ = lines[0].split(" ")
            headers = dict(line.lower().split(": ", 1) for line in lines[1:] if line.lower().startswith("content-length"))
            length = int(headers.get("content-length", 0))
            body, self.buffer = self.buffer[:length], self.buffer[length:]
            authorization = [line.split(" ")[-1] for line in lines if line.startswith("Authorization: ")]
            keys = [line.split(" ")[-1] for line in lines if line.startswith("IFTTT-Service-Key: ")]
            self.receive(now, method, target, authorization, keys, body)

    def receive(self, now, method, target, authorization, keys, body):
        parts = urllib.parse.urlsplit(target)
        query = dict(urllib.parse.parse_qsl(parts.query, strict_parsing=True)) if parts.query else {}
        user = authorization[0].split("_")[1] if authorization else query.get("user_id", "")
        Users.log.write(json.dumps([now, method, parts.path, user]) + "\n")
        Users.log.flush()
        Users.arrivals += 1
        attempt = Users.seen[user] = Users.seen.get(user, 0) + 1
        if Users.arrivals % 50 == 0:
            for answer in Users.held:
                answer()
            Users.held = []
        answer = lambda: self.answer(method, parts.path, query, user, attempt, authorization, keys, body)
        if user.startswith("slow-") and attempt == 1:
            Users.held.append(answer)
        else:
            answer()

    def answer(self, method, path, query, user, attempt, authorization, keys, body):
        if authorization != [token(user)] and keys != [KEY] or user.removeprefix("slow-").startswith("denied-"):
            return self.send("401 Unauthorized", {"type": "error", "code": "unauthorized", "message": "No"})
        if user.startswith("flaky-") and attempt == 1:
            return self.send("503 Service Unavailable", {})
        if user.startswith("limited-") and attempt == 1:
            return self.send("429 Too Many Requests", {}, "Retry-After: 2\r\n")
        if method == "POST" and path.split("/")[-1] in ("enable", "disable"):
            if authorization != [token(user)]:
                return self.send("403 Forbidden", {"type": "error", "code": "forbidden", "message": "No"})
            path, verb = path.rsplit("/", 1)
            self.accept(user, path, verb)
            Users.statuses[user, path] = verb + "d"
        elif method == "POST":
            if list(query.values())[1:] != ["at_" + user + "_c0ffee"]:
                return self.send("401 Unauthorized", {"type": "error", "code": "unauthorized", "message": "No " + str(query)})
            return self.send("200 OK", {"type": "user_token", "user_token": token(user)})
        if path.endswith("/field_options"):
            return self.send("200 OK", {"type": "field_options", "options": configuring.OPTIONS})
        if method == "PUT":
            path = path.rsplit("/", 1)[0]
            self.accept(user, path, "configure")
            Users.configured[user, path] = configuring.stored(json.loads(body)["user_features"])
            return self.send("204 No Content", None)
        self.send("200 OK", self.subject(path, user))

    def accept(self, user, path, verb):
        """Called for each change before it takes effect."""

    @staticmethod
    def status(path, user):
        identifier = path.split("/")[-1]
        first = {"off": "disabled", "new": "never_enabled"}.get(identifier.split("-")[0], "enabled")
        return Users.statuses.get((user, path), first)

    def subject(self, path, user):
        identifier, status = path.split("/")[-1], self.status(path, user)
        kind = "applet" if "/applets/" in path else "connection"
        is_on = status == "enabled"
        body = {
            "type": kind, "id": identifier, "name": "Of " + user, "user_status": status, "services": [], "features": []}
        if identifier.startswith("conf-"):
            body["features"] = configuring.features("http://127.0.0.1", identifier)
            if is_on:
                first = configuring.first_configuration(identifier)
                body["user_connection"] = {"user_features": Users.configured.setdefault((user, path), first)}
        return body

    def send(self, status, body, more=""):
        text = b"" if body is None else json.dumps(body).encode()
        length = "" if body is None else "Content-Type: application/json\r\nContent-Length: %d\r\n" % len(text)
        head = "HTTP/1.1 %s\r\n%s%s\r\n" % (status, more, length)
        self.write(head.encode() + text)

    def write(self, answer):
        self.transport.write(answer)


async def main(protocol=Users, until=lambda: asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)):
    Users.log = open(sys.argv[1] + "/log", "w")
    server = await asyncio.get_running_loop().create_server(protocol, "127.0.0.1", 0, backlog=512)
    print(server.sockets[0].getsockname()[1], flush=True)
    await until()


if __name__ == "__main__":
    asyncio.run(main())
