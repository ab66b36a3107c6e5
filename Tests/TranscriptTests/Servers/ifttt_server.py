"""IFTTT as described by `docs/api`. The server validates every byte of a request.

    ifttt_server.py FOLDER FIXTURES [--tls CERTIFICATE KEY] [--other BASE] [--events STATUS]

Prints its port. Before it responds to a request, it appends a JSON line to FOLDER/log with all violations. A request
with violations gets status 400. A request for a connection named `fault-…` gets a response from faults.py. A request for
one named `stall-…` is announced on stdout (`stalled ID`) and gets no response until `go` arrives on standard
input; so does a change of one named `hold-…`. With `--events`, usage events are accepted, announced (`events STATUS`)
and get that status, and every request to the Connect API must include the installation id; without it, no request may
include one. The server exits when its stdin ends. CONNECT succeeds as on a proxy that resolves every name to
this server.
"""
import json
import os
import socket
import ssl
import sys
import threading

import activating
import configuring
import events
import faults
from wire import Request

KEY = "key-lampost-9JtE9uFa6RiOxQ1lDyVwBk"
USERS = {"u-5521": "at_7f20c1", "kai & co/ü+1%": "at = 7f&20/c1+ü"}
TOKENS = {
    "u-5521": "Zq8v_T2mLr-5YpWc0NdXs7KhGb3JtE9uFa6RiOxQ1lDyVwBk",
    "kai & co/ü+1%": "Kw3x_R7nMs-2ZqVd1OeYt8LiHc4KuF0vGb5SjPyR2mExUzCl",
}


class Server:
    def __init__(self, folder, fixtures, certificate, other, events_status):
        self.events_status = events_status
        self.folder, self.other, self.certificate = folder, other, certificate
        self.log, self.lock, self.counts, self.connections = open(folder + "/log", "w"), threading.Lock(), {}, 0
        self.go, self.statuses, self.configured = threading.Event(), {}, {}
        self.fixtures = {}
        for name in sorted(os.listdir(fixtures)):
            if name.endswith(".json"):
                content = open(os.path.join(fixtures, name), "rb").read()
                self.fixtures["fixture-%d" % len(self.fixtures)] = content
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = self.listener.getsockname()[1]

    def announce(self, words):
        with self.lock:
            sys.stdout.write(words + "\n")
            sys.stdout.flush()

    def record(self, number, request, level):
        with self.lock:
            count = self.counts[request.target] = self.counts.get(request.target, 0) + 1
            entry = {
                "connection": number, "method": request.method, "target": request.target, "level": level,
                "headers": [list(field) for field in request.fields],
                "body": request.body.decode("utf-8", "replace"), "wrong": request.wrong,
            }
            self.log.write(json.dumps(entry) + "\n")
            self.log.flush()
            return count

    def serve(self):
        while True:
            stream, _ = self.listener.accept()
            stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.connections += 1
            threading.Thread(target=self.converse, args=(stream, self.connections), daemon=True).start()

    def converse(self, stream, number):
        address = "127.0.0.1:%d" % self.port
        try:
            if self.certificate and stream.recv(1, socket.MSG_PEEK) == b"\x16":
                stream = self.encrypted(stream)
            reader = stream.makefile("rb")
            while True:
                request = read(reader)
                if request is None:
                    break
                if request.method == "CONNECT":
                    address = request.target.removesuffix(":443")
                    self.record(number, request, "none")
                    stream.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
                    stream = self.encrypted(stream)
                    reader = stream.makefile("rb")
                elif not Call(self, stream, request, number, address).answer():
                    break
        except (OSError, ValueError):
            pass
        finally:
            stream.close()

    def encrypted(self, stream):
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(*self.certificate)
        return context.wrap_socket(stream, server_side=True)


class Call:
    """One request and its response."""

    def __init__(self, server, stream, request, number, address):
        self.server, self.stream, self.request = server, stream, request
        self.number, self.address = number, address

    def answer(self):
        request = self.request
        visited = activating.page(request.path) if request.method == "GET" else None
        if visited:
            return activating.visit(self, *visited, TOKENS["u-5521"])
        with_body = request.method == "PUT" or request.path[-1:] == ["run"] or (
            request.path[:1] == ["v1"] and request.path[-1:] == ["user_token"])
        with_body = with_body or request.path[-1:] in (["perform"], ["test"]) or request.path[-2:] == ["sdk", "events"]
        identified = self.server.events_status is not None and request.path[:1] == ["v2"]
        request.check_frame(self.address, with_body, identified)
        level = request.level
        act = self.route(level)
        count = self.server.record(self.number, request, level)
        if request.wrong:
            self.stream.sendall(faults.error("400 Bad Request", "violation", "; ".join(request.wrong)))
            return True
        refusal = self.refusal(level)
        if refusal:
            self.stream.sendall(refusal)
            return True
        return act(count)

    def refusal(self, level):
        known = {"service": KEY, "user": None, "none": None}
        request = self.request
        if level == "service" and request.header("ifttt-service-key") != known["service"]:
            return faults.error("401 Unauthorized", "unauthorized", "Invalid service key")
        if level == "user" and (request.header("authorization") or "")[7:] not in TOKENS.values():
            return faults.error("401 Unauthorized", "unauthorized", "Cannot uniquely identify user")
        return None

    def route(self, level):
        """Return the function that handles the request. Missing and unknown parts are violations."""
        request, user = self.request, (("user_id",) if level == "service" else ())
        act = configuring.route(self, level)
        if act:
            return act
        match (request.method, *request.path):
            case ("GET", "v2", "me"):
                request.check_query(*user)
                return lambda count: self.send(self.me(level))
            case ("GET", "v2", "account", "find"):
                request.check_query("email")
                if level != "none":
                    request.complain("level " + level)
                return lambda count: self.find(request.query.get("email", ""))
            case ("POST", "v2", "user_token"):
                request.check_query("user_id", "access_token")
                if list(request.query) != ["user_id", "access_token"]:
                    request.complain("query items %s" % list(request.query))
                if level != "service":
                    request.complain("level " + level)
                return self.exchange
            case ("POST", "v1", "services", "lampost", "user_token"):
                request.check_query()
                return self.exchange_v1 if self.is_exchange(level) else lambda count: False
            case ("GET", "v2", "connections", identifier):
                request.check_query(*user)
                return lambda count: self.show(identifier, count, level)
            case ("POST", "v2", "connections", identifier, "enable" | "disable" as verb):
                request.check_query()
                if level != "user":
                    request.complain("level " + level)
                return lambda count: self.change(identifier, verb, count)
            case ("POST", "v2", "sdk", "events") if self.server.events_status:
                request.check_query()
                events.check(request, level)
                return lambda count: self.take_events()
            case ("GET", "v1", "services", "lampost", "applets"):
                request.check_query("order", "platform", *user)
                return lambda count: self.send({"type": "list", "data": [applet("mB3xWq7T"), applet("pL9cVr2K")]})
            case ("GET", "v1", "services", "lampost", "applets", identifier):
                request.check_query(*user)
                return lambda count: self.send(applet(identifier))
        request.complain("no such call: %s %s" % (request.method, request.target))
        return lambda count: False

    def send(self, body):
        self.stream.sendall(faults.message(body))
        return True

    def no_content(self):
        self.stream.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
        return True

    def find(self, email):
        if email.startswith("new"):
            self.stream.sendall(faults.error("404 Not Found", "not_found", "Unknown account"))
            return True
        return self.no_content()

    def me(self, level):
        return {
            "none": {"type": "me", "authentication_level": "none", "service_id": None, "user_login": None},
            "service": {"type": "me", "authentication_level": "channel", "service_id": "lampost", "user_login": None},
            "user": {"type": "me", "authentication_level": "user", "service_id": "lampost", "user_login": "kai_lamps"},
        }[level]

    def exchange(self, count):
        user = self.request.query["user_id"]
        if user.startswith("stall-"):
            self.stall(user)
            return self.send({"type": "user_token", "user_token": TOKENS["u-5521"]})
        if USERS.get(user) != self.request.query["access_token"]:
            self.stream.sendall(faults.error("401 Unauthorized", "unauthorized", "No such access token"))
            return True
        return self.send({"type": "user_token", "user_token": TOKENS[user]})

    def is_exchange(self, level):
        """Return whether the body has exactly the two members of the older API's exchange."""
        if level != "service":
            self.request.complain("level " + level)
        try:
            body = json.loads(self.request.body)
        except ValueError:
            body = None
        if not isinstance(body, dict) or sorted(body) != ["token", "user_id"]:
            self.request.complain("body %r" % self.request.body)
            return False
        return True

    def exchange_v1(self, count):
        body = json.loads(self.request.body)
        if USERS.get(body["user_id"]) != body["token"]:
            self.stream.sendall(faults.error("401 Unauthorized", "unauthorized", "No such access token"))
            return True
        return self.send({"type": "user_token", "user_token": TOKENS[body["user_id"]]})

    def take_events(self):
        status = self.server.events_status
        self.server.announce("events " + status)
        if status == "stall":
            self.server.go.wait()
        self.stream.sendall(
            b"HTTP/1.1 204 No Content\r\n\r\n" if status in ("204", "stall") else
            faults.message(b"not now", status + " Refused", "text/plain"))
        return True

    def stall(self, name):
        self.server.announce("stalled " + name)
        self.server.go.wait()

    def status(self, identifier, level):
        if level == "none" or (level == "service" and "user_id" not in self.request.query):
            return None
        first = "never_enabled" if identifier.startswith("never-") else (
            "disabled" if identifier.startswith("off-") else "enabled")
        return self.server.statuses.get(identifier, first)

    def show(self, identifier, count, level):
        if identifier.startswith("fault-"):
            return faults.respond(self.stream, identifier, count, self.server)
        if identifier.startswith("none-"):
            self.stream.sendall(faults.error("404 Not Found", "not_found", "Unknown connection id"))
            return True
        if identifier.startswith("stall-"):
            self.stall(identifier)
        if identifier in self.server.fixtures:
            return self.send(self.server.fixtures[identifier])
        if identifier.startswith("conf-"):
            return self.send(self.configurable(identifier, level))
        name = "Lamps of " + identifier
        # A connection whose configuration can be skipped needs a feature to configure.
        features = configuring.features("http://" + self.address, identifier) if identifier == "never-ok-3" else []
        status = self.status(identifier, level)
        return self.send(faults.plain(identifier, name=name, user_status=status, features=features))

    def configurable(self, identifier, level):
        status = self.status(identifier, level)
        body = faults.plain(identifier, user_status=status)
        body["features"] = configuring.features("http://" + self.address, identifier)
        if status == "enabled":
            first = configuring.first_configuration(identifier)
            body["user_connection"] = {"user_features": self.server.configured.setdefault(identifier, first)}
        return body

    def change(self, identifier, verb, count):
        if identifier.startswith("fault-"):
            return faults.respond(self.stream, identifier, count, self.server)
        if identifier.startswith("hold-"):
            self.stall(identifier)
        if verb == "enable" and self.status(identifier, "user") == "never_enabled":
            self.stream.sendall(faults.error("403 Forbidden", "never_enabled", "Not enabled before"))
            return True
        self.server.statuses[identifier] = verb + "d"
        if identifier.startswith("quiet-"):
            self.stream.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
            return True
        return self.send(faults.plain(identifier, user_status=verb + "d"))


def applet(identifier):
    return {
        "type": "applet", "id": identifier, "name": "Lamps on at dusk", "description": "Turns the lamps on.",
        "published_at": "2017-09-12T08:15:00+01:00", "enabled_count": 1204, "user_status": None, "last_run_at": None,
        "services": [], "url": "https://ifttt.com/applets/" + identifier,
        "embedded_url": "https://ifttt.com/embed/lampost/applets/" + identifier,
    }


def read(stream):
    """Return the next request, or None if the client has disconnected. Clients do not pipeline, so no byte is lost."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    body = stream.read(length)
    return Request(head[:-4], body) if len(body) == length else None


def main():
    words = sys.argv[1:]
    folder, fixtures, rest = words[0], words[1], words[2:]
    certificate = rest[rest.index("--tls") + 1:][:2] if "--tls" in rest else None
    other = rest[rest.index("--other") + 1] if "--other" in rest else None
    events_status = rest[rest.index("--events") + 1] if "--events" in rest else None
    server = Server(folder, fixtures, certificate, other, events_status)
    server.announce(str(server.port))
    threading.Thread(target=server.serve, daemon=True).start()
    for line in sys.stdin:
        if line == "go\n":
            server.go.set()
    os._exit(0)


main()
