"""A web server that misbehaves as specified by the path. Prints its port; ends when its stdin is closed.

    faults.py LOG [CERTIFICATE KEY]

LOG receives one JSON line per request before the response: the connection's number, the head as received, the body.
"""
import gzip
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time

log = open(sys.argv[1], "w")
lock = threading.Lock()
seen = {}


def read_request(stream):
    head = b""
    if stream.peek(1)[:1] == b"\x16":  # TLS on a plain HTTP server, which cannot parse it as a request
        return None
    while not head.endswith(b"\r\n\r\n"):
        line = stream.readline()
        if not line:
            return None
        head += line
    if b" /close-in-body" in head:
        stream.read(1)
        return None
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return head, stream.read(length)


def answer(status, body=b"{}", kind="application/json", headers=()):
    lines = ["HTTP/1.1 %d Said" % status, "Content-Type: " + kind, "Content-Length: %d" % len(body), *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def chunked(pieces, end=b"0\r\n\r\n"):
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    return head + b"".join(b"%x\r\n%s\r\n" % (len(p), p) for p in pieces) + end


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def flood(connection, head, piece, pieces):
    """Sends all pieces, or until the client closes the connection."""
    try:
        connection.sendall(head)
        for _ in range(pieces):
            connection.sendall(piece)
    except OSError:
        pass


def respond(connection, path, number, count):
    """Returns False if the connection must be closed."""
    words = path.split("?")[0].strip("/").split("/")
    name, rest = words[0], words[1:]
    if name == "status":  # /status/503[/HEADER/VALUE]
        headers = ["%s: %s" % (rest[1], rest[2].replace("%20", " "))] if len(rest) == 3 else []
        connection.sendall(answer(int(rest[0]), headers=headers))
    elif name == "flaky":  # /flaky/2/503: this many failures, then success
        failing = count <= int(rest[0])
        connection.sendall(answer(int(rest[1]) if failing else 200))
    elif name == "redirect":  # /redirect/302?LOCATION
        connection.sendall(answer(int(rest[0]), headers=["Location: " + path.split("?", 1)[1]]))
    elif name == "loop":
        connection.sendall(answer(302, headers=["Location: /loop"]))
    elif name == "latency":
        time.sleep(0.05)
        connection.sendall(answer(200))
    elif name == "reset-before":
        reset(connection)
        return False
    elif name == "reset-in-body":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        time.sleep(0.02)
        reset(connection)
        return False
    elif name == "close-second":  # keeps the connection open until it receives a second request
        if number > 1:
            connection.close()
            return False
        connection.sendall(answer(200))
    elif name == "close-after":  # without saying so in the response
        connection.sendall(answer(200))
        return False
    elif name == "truncated":
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nhalf")
        return False
    elif name == "cut":
        connection.sendall(chunked([b"half"], end=b""))
        return False
    elif name == "drip":
        flood(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b"", 0)
        while True:
            time.sleep(0.01)
            connection.sendall(b"x")
    elif name == "hang":
        connection.recv(1)
    elif name == "gzip":
        body = gzip.compress(b'{"name":"value"}')
        connection.sendall(answer(200, body, headers=["Content-Encoding: gzip"]))
    elif name == "broken-gzip":
        connection.sendall(answer(200, b"this is no gzip", headers=["Content-Encoding: gzip"]))
    elif name == "bomb":
        body = gzip.compress(bytes(64 << 20))
        connection.sendall(answer(200, body, headers=["Content-Encoding: gzip"]))
    elif name == "chunked":
        connection.sendall(chunked([b'{"name":', b'"value"}'], end=b"0\r\nX-Trailer: late\r\n\r\n"))
    elif name == "interim":
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n" + answer(200, headers=["X-Late:  two words \t"]))
    elif name == "interim-alone":
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\nX-Early: yes\r\n\r\n")
        return False
    elif name == "bytes":
        connection.sendall(answer(200, b'{"name":"\xff\xc3("}'))
    elif name == "html":
        connection.sendall(answer(200, b"<html>no</html>", "text/html"))
    elif name == "large":
        flood(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n", bytes(1 << 20), 100)
        return False
    elif name == "endless":  # without a length, so that the client must count bytes
        flood(connection, b"HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n", bytes(1 << 20), 100)
        return False
    elif name == "long-header":
        flood(connection, b"HTTP/1.1 200 OK\r\n", b"X-Long: " + b"x" * 8000 + b"\r\n", 100)
        return False
    elif name == "long-line":
        flood(connection, b"HTTP/1.1 200 OK\r\nX-Long: ", b"x" * 8000, 100)
        return False
    elif name == "ancient":  # HTTP/0.9 has no header
        connection.sendall(b"just a body")
        return False
    elif name == "empty":
        connection.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
    else:
        connection.sendall(answer(200, b'{"ok":true}'))
    return True


def serve(connection, place):
    if len(sys.argv) > 2:
        try:
            connection = context.wrap_socket(connection, server_side=True)
        except (ssl.SSLError, OSError):
            return
    stream = connection.makefile("rb")
    number = 0
    try:
        while True:
            request = read_request(stream)
            if request is None:
                break
            number += 1
            head, body = request
            path = head.split(b" ")[1].decode("latin-1")
            with lock:
                seen[path] = count = seen.get(path, 0) + 1
                json.dump({"connection": place, "head": head.decode("latin-1"), "body": body.decode("latin-1")}, log)
                log.write("\n")
                log.flush()
            if head.startswith(b"HEAD "):
                connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 104857600\r\n\r\n")
            elif not respond(connection, path, number, count):
                break
    except OSError:
        pass
    stream.close()
    connection.close()


def end_with_parent():
    sys.stdin.read()
    os._exit(0)


if len(sys.argv) > 2:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[2], sys.argv[3])
listener = socket.create_server(("127.0.0.1", 0), backlog=128)
threading.Thread(target=end_with_parent, daemon=True).start()
print(listener.getsockname()[1], flush=True)
place = 0
while True:
    accepted, _ = listener.accept()
    accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    place += 1
    threading.Thread(target=serve, args=(accepted, place), daemon=True).start()
