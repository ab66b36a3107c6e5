"""IFTTT's location API, written from docs/api/location.md alone. It records all events, and serves one connection.

usage: locating.py LOG [--delay SECONDS] [--answer STATUS] [--circles LATITUDE,LONGITUDE,METRES ...]
Serves on a free port, which it prints. Before each response, it appends a line of JSON to LOG. It exits when standard
input ends.
"""
import argparse
import http.server
import json
import re
import sys
import threading
import time

KEYS = ["record_id", "region_type", "occurred_at", "event_type", "channel_id", "trigger_subscription_id", "installation_id"]
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
PATTERNS = {
    "record_id": UUID,
    "region_type": "geo",
    "occurred_at": r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ",
    "event_type": "entry|exit",
    "channel_id": "941030000",
    "trigger_subscription_id": ".+",
    "installation_id": UUID,
}
HEADERS = {"host", "authorization", "content-type", "content-length"}


def problems(handler, body):
    if handler.command != "POST" or handler.path != "/v1/location_events":
        yield "%s %s" % (handler.command, handler.path)
    names = [name.lower() for name in handler.headers.keys()]
    for name in names:
        if name not in HEADERS and name not in ("accept-encoding", "user-agent", "accept"):
            yield "header %s" % name
    if len(names) != len(set(names)):
        yield "a header twice"
    if not re.fullmatch(r"Bearer \S+", handler.headers.get("authorization", "")):
        yield "authorization"
    if handler.headers.get("content-type") != "application/json":
        yield "content-type %r" % handler.headers.get("content-type")
    try:
        events = json.loads(body)
    except ValueError:
        yield "body %r" % body
        return
    if not isinstance(events, list) or not 1 <= len(events) <= 20:
        yield "not 1 to 20 events"
        return
    for event in events:
        if list(event) != KEYS:
            yield "keys %r" % list(event)
        for key, pattern in PATTERNS.items():
            if not isinstance(event.get(key), str) or not re.fullmatch(pattern, event[key]):
                yield "%s %r" % (key, event.get(key))


def connection(circles):
    """Return a connection with these circles as geofences, in both directions."""
    triggers = [{"id": "%08x" % (0xd27e9a40 + number), "feature_trigger_id": "t", "user_fields": [{
        "field_id": "location", "field_type": "LOCATION_ENTER_OR_EXIT",
        "value": dict(zip(("lat", "lng", "radius"), circle.split(",")))}]} for number, circle in enumerate(circles)]
    return {
        "type": "connection", "id": "gg", "name": "Lamps", "user_status": "enabled", "services": [], "features": [],
        "user_connection": {"user_features": [{
            "id": "uf", "feature_id": "f", "enabled": True, "user_fields": [], "user_feature_triggers": triggers}]},
    }


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def take(self):
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        line = json.dumps({"status": options.answer, "wrong": list(problems(self, body)), "body": body.decode()})
        with lock, open(options.log, "a") as log:
            log.write(line + "\n")
        # The events are accepted now, although the response may still be lost.
        time.sleep(options.delay)
        self.send_response(options.answer)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self):
        if self.path != "/v2/connections/gg":
            return self.take()
        body = json.dumps(connection(options.circles)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_PUT = do_DELETE = take

    def log_message(self, *words):
        pass


parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("--delay", type=float, default=0)
parser.add_argument("--answer", type=int, default=204)
parser.add_argument("--circles", nargs="*", default=["38.7369,-9.1427,220.5"])
options = parser.parse_args()
lock = threading.Lock()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
