"""Compares `service listen` with nginx, which responds with 200 and writes an access log: the 99th percentile of the time
from the moment a webhook is due until its response, at 1,000 webhooks a second. Neither side may lose one."""

import collections
import json
import os
import select
import socket
import statistics
import subprocess
import tempfile
import time

from server import free_port, start_nginx

RATE = 1000
SECONDS = int(os.environ.get("LISTEN_SECONDS", "60"))
CONNECTIONS = 64
PATH = "/ifttt/v1/webhooks/trigger_subscription/fired"

LOGGING = """
    listen 127.0.0.1:%(port)d;
    access_log %(folder)s/access.log combined;
    location / { return 200 ''; }
"""


def request(number):
    body = json.dumps({
        "sent_at": 1772646200411,
        "data": {"user_id": f"u-{number}", "user_timezone": "Lisbon", "connection_id": "Kd7Rn2Qx",
                 "trigger_id": "location.exit_region_location", "feature_id": "mw4tq9hzjc",
                 "user_feature_id": "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f326",
                 "user_feature_trigger_id": "d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54"},
        "event_data": {"ingredients": {"OccurredAt": "March 04, 2026 at 05:42PM", "EnteredOrExited": "exited"}}})
    return (f"POST {PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nIFTTT-Service-Key: a-key-for-measuring\r\nAccept: application/json\r\n"
            f"Accept-Charset: utf-8\r\nAccept-Encoding: gzip, deflate\r\nContent-Type: application/json\r\n"
            f"X-Request-ID: {number:032x}\r\nContent-Length: {len(body)}\r\n\r\n{body}").encode()


def drive(port, seconds):
    """Sends at a constant rate, whatever the responses take, over connections that stay open. Returns the times from the
    moment each request was due, in milliseconds."""
    poll, free, busy, backlog, times = select.poll(), collections.deque(), {}, collections.deque(), []
    for _ in range(CONNECTIONS):
        client = socket.create_connection(("127.0.0.1", port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        poll.register(client, select.POLLIN)
        free.append(client)
    clients = {client.fileno(): client for client in free}
    start, sent, total = time.monotonic(), 0, RATE * seconds
    while len(times) < total:
        now = time.monotonic()
        while sent < total and start + sent / RATE <= now:
            backlog.append(sent)
            sent += 1
        while backlog and free:
            number = backlog.popleft()
            client = free.popleft()
            client.sendall(request(number))
            busy[client.fileno()] = number
        pause = max(0, start + sent / RATE - time.monotonic()) if sent < total else 1
        for descriptor, _ in poll.poll(pause * 1000):
            client = clients[descriptor]
            response = client.recv(4096)
            if not response.startswith(b"HTTP/1.1 200 ") or b"\r\n\r\n" not in response:
                raise SystemExit(f"webhook {busy.get(descriptor)}: {response[:80]}")
            times.append((time.monotonic() - start - busy.pop(descriptor) / RATE) * 1000)
            free.append(client)
        if time.monotonic() - start > seconds + 60:
            raise SystemExit(f"only {len(times)} of {total} webhooks were acknowledged")
    for client in clients.values():
        client.close()
    return times


def percentile(times):
    return statistics.quantiles(times, n=100)[98]


def nginx(folder, seconds):
    port = free_port()
    process = start_nginx(folder, LOGGING % {"folder": folder, "port": port}, f"http://127.0.0.1:{port}/")
    try:
        return percentile(drive(port, seconds))
    finally:
        process.terminate()
        process.wait()


def listen(program, environment, folder, seconds):
    """The store must have every webhook, and the output a line for each."""
    port, lines = free_port(), os.path.join(folder, "lines")
    environment = {**environment, "IFTTT_HOME": os.path.join(folder, "home"), "IFTTT_SERVICE_KEY": "a-key-for-measuring"}
    with open(lines, "wb") as output:
        ready = os.path.join(folder, "ready")
        process = subprocess.Popen(
            [program, "service", "listen", "--port", str(port), "--ready-file", ready, "-o", "jsonl", "-q"],
            env=environment, stdout=output)
        while not os.path.exists(ready):
            time.sleep(0.01)
        times = drive(port, seconds)
        process.terminate()
        if process.wait() != 0:
            raise SystemExit("service listen failed")
    expected = {f"u-{number}" for number in range(RATE * seconds)}
    with open(lines, "rb") as file:
        shown = {json.loads(line)["user_id"] for line in file}
    listing = subprocess.run([program, "service", "events", "list", "-o", "tsv", "--no-header", "--fields", "user_id"],
                             env=environment, check=True, capture_output=True, text=True).stdout
    stored = set(listing.split())
    if shown != expected or stored != expected:
        raise SystemExit(f"lost: {len(expected - shown)} not shown, {len(expected - stored)} not stored")
    return percentile(times)


def latencies(program, environment):
    """The 99th percentiles of both sides."""
    with tempfile.TemporaryDirectory(prefix="ifttt-bench-listen-") as folder:
        return listen(program, environment, folder, SECONDS), nginx(folder, SECONDS)
