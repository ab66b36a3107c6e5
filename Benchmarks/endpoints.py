"""Compares `service test` with the sum of the latencies of its requests, divided among eight at once.

The partner's server has 40 endpoints and responds to each request after the same time, however many there are."""

import http.server
import json
import socketserver
import subprocess
import threading
import time

from homes import settings

LATENCY = 0.02
JOBS = 8
SAMPLES = {
    "triggers": {f"trigger_{number}": {"field": "a"} for number in range(15)},
    "queries": {f"query_{number}": {"field": "a"} for number in range(10)},
    "actions": {f"action_{number}": {"field": "a"} for number in range(12)},
}
EVENTS = [{"name": "a", "meta": {"id": str(number), "timestamp": 1772647500 - number}} for number in range(3)]


class Endpoint(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The response is sent at once: otherwise its body would wait for the acknowledgment of its header.
    wbufsize = -1
    disable_nagle_algorithm = True
    requests = 0

    def respond(self):
        Endpoint.requests += 1
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        time.sleep(LATENCY)
        status, data = self.result(json.loads(body or b"{}"))
        content = json.dumps(data).encode() if data is not None else b""
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = respond

    def result(self, body):
        errors = {"errors": [{"message": "No."}]}
        if "INVALID" in (self.headers.get("IFTTT-Service-Key"), (self.headers.get("Authorization") or "")[7:]):
            return 401, errors
        kind = self.path.split("/")[3]
        if kind == "status" or self.command == "DELETE":
            return 200, None
        if kind == "test":
            return 200, {"data": {"accessToken": "a-token", "samples": SAMPLES}}
        if kind == "user":
            return 200, {"data": {"name": "Kai", "id": "u-1"}}
        if self.path.endswith("/options"):
            return 404, errors
        if not any(key.endswith("Fields") for key in body):
            return 400, errors
        if kind == "actions":
            return 200, {"data": [{"id": "1"}]}
        rows = EVENTS[:body.get("limit", 50)]
        if kind == "queries" and "cursor" not in body and len(rows) < len(EVENTS):
            return 200, {"data": rows, "cursor": "next"}
        return 200, {"data": rows}

    def log_message(self, *words):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 128


def test_times(program, home):
    """The time of a test, and the sum of its requests' latencies divided by the number of jobs; in milliseconds."""
    with Server(("127.0.0.1", 0), Endpoint) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        command = [program, "service", "test", f"http://127.0.0.1:{server.server_port}", "--jobs", str(JOBS), "--quiet"]
        times = []
        for _ in range(5):
            Endpoint.requests = 0
            start = time.monotonic()
            subprocess.run(command, env=settings(home, IFTTT_SERVICE_KEY="a-key"), check=True,
                           stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            times.append(time.monotonic() - start)
        server.shutdown()
    return sorted(times)[2] * 1000, Endpoint.requests * LATENCY / JOBS * 1000
