"""A Connect API that keeps what is changed: every connection exists, is enabled and configured at first, and looks alike.

Run as a program, it listens on a free port of loopback, prints it, and serves until stdin closes."""

import asyncio
import json
import subprocess
import sys

from server import CONFIGURED

HEAD, _, TAIL = CONFIGURED.partition('"user_connection":')


class Connections:
    """The status and the value of one text field of each connection that was changed, by user and id."""

    def __init__(self):
        self.states = {}

    def respond(self, method, path, query, token, body):
        if path.endswith("/user_token"):
            return b"200 OK", json.dumps({"user_token": f"token of {query or 'own'}", "type": "user_token"}).encode()
        parts = path.split("/")[3:]
        key = (query or token, parts[0])
        status, note = self.states.get(key, ("enabled", "until the tide returns"))
        if parts[1:] == ["enable"] or parts[1:] == ["disable"]:
            status = "enabled" if parts[1] == "enable" else "disabled"
        elif parts[1:] == ["user_connection"] and method == "PUT":
            fields = json.loads(body)["user_features"][0]["user_fields"]
            note = next((field["value"] for field in fields if field["field_id"] == "note"), note)
        elif parts[1:]:
            return b"404 Not Found", b"{}"
        if method != "GET":
            self.states[key] = (status, note)
        text = (CONFIGURED if status == "enabled" else HEAD.rstrip(",") + "}").replace("$1", parts[0])
        text = text.replace('"user_status":"enabled"', f'"user_status":"{status}"').replace("until the tide returns", note)
        return b"200 OK", text.encode()


class Exchange(asyncio.Protocol):
    def __init__(self, connections):
        self.connections, self.bytes = connections, b""

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        self.bytes += data
        while True:
            head, separator, rest = self.bytes.partition(b"\r\n\r\n")
            if not separator:
                return
            lines = head.decode().split("\r\n")
            fields = {name.lower(): value for name, _, value in (line.partition(": ") for line in lines[1:])}
            length = int(fields.get("content-length", 0))
            if len(rest) < length:
                return
            body, self.bytes = rest[:length], rest[length:]
            method, target, _ = lines[0].split(" ")
            path, _, query = target.partition("?")
            user = next((word[8:] for word in query.split("&") if word.startswith("user_id=")), "")
            status, answer = self.connections.respond(method, path, user, fields.get("authorization", ""), body)
            self.transport.write(b"HTTP/1.1 %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                                 % (status, len(answer), answer))


async def serve():
    loop = asyncio.get_running_loop()
    connections = Connections()
    server = await loop.create_server(lambda: Exchange(connections), "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


class StatefulServer:
    """The server in a process of its own, for the duration of the `with` statement. Each has a state of its own."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.port = int(self.process.stdout.readline())
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()


if __name__ == "__main__":
    asyncio.run(serve())
