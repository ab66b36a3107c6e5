"""A small HTTP proxy: CONNECT and absolute URLs. Prints its port; ends when its stdin is closed.

    proxy.py LOG [REFUSAL]

LOG receives one JSON line per request: {"head": ...}. With REFUSAL, a status, every request gets that response.
"""
import json
import os
import socket
import sys
import threading
from urllib.parse import urlsplit

log = open(sys.argv[1], "w")
lock = threading.Lock()


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
    except OSError:
        pass
    try:
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def serve(client):
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        data = client.recv(1)
        if not data:
            return
        head += data
    with lock:
        json.dump({"head": head.decode("latin-1")}, log)
        log.write("\n")
        log.flush()
    if len(sys.argv) > 2:
        client.sendall(b"HTTP/1.1 %s Refused\r\nContent-Length: 0\r\n\r\n" % sys.argv[2].encode())
        client.close()
        return
    method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
    address = target if method == "CONNECT" else urlsplit(target).netloc
    host, _, port = address.rpartition(":")
    # Every name resolves to this machine, so that tests can use a made-up host.
    server = socket.create_connection(("127.0.0.1", int(port)))
    if method == "CONNECT":
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
    else:
        path = target.split("/", 3)[3]
        server.sendall(head.replace(target.encode(), b"/" + path.encode(), 1))
    threading.Thread(target=pump, args=(client, server), daemon=True).start()
    pump(server, client)


def end_with_parent():
    sys.stdin.read()
    os._exit(0)


listener = socket.create_server(("127.0.0.1", 0), backlog=128)
threading.Thread(target=end_with_parent, daemon=True).start()
print(listener.getsockname()[1], flush=True)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=serve, args=(accepted,), daemon=True).start()
