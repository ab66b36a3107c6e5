"""A partner's server that misbehaves in the way that its argument names. Prints its port and ends with stdin.

test/setup responds correctly, so that the other endpoints are tested too.
"""

import json
import os
import socket
import struct
import sys
import threading
import time

TOKEN = "a-user-token-that-must-not-be-shown"
SETUP = json.dumps({"data": {"accessToken": TOKEN, "samples": {
    "triggers": {"on": {"lamp": "a"}}, "queries": {"list": {"room": "b"}}, "actions": {"set": {"scene": "c"}},
    "triggerFieldValidations": {"on": {"lamp": {"valid": "a", "invalid": "z"}}}}}}).encode()


def response(body, status="200 OK", fields=(), kind="application/json; charset=utf-8"):
    lines = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close", *fields]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def endless(connection):
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{"data":[')
    while True:
        connection.sendall(b'{"a":"' + b"x" * 65536 + b'"},')


def slow(connection):
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
    while True:
        connection.sendall(b"[")
        time.sleep(0.2)


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def end(_):
    os._exit(0)


FAULTS = {
    "garbage": b"\x00\xff\xfeNOT HTTP\r\n\r\n",
    "reset": reset,
    "nothing": b"",
    "html": response(b"<html>\x1b[31mhi</html>", kind="text/html"),
    "redirect": response(b"", "302 Found", ["Location: http://127.0.0.1:1/elsewhere"]),
    "invalid-utf-8": response(b'{"data":[{"a":"\xff\xfe"}]}'),
    "deep": response(b"[" * 100_000),
    "nested": response(b'{"data":' + b"[" * 400 + b"]" * 400 + b"}"),
    "wrong-types": response(b'{"data":[1,null,"x",{"meta":7},{"meta":{"id":[],"timestamp":"a"}}],"cursor":{},"errors":7}'),
    "odd-numbers": response(b'{"data":[{"meta":{"id":1,"timestamp":1e99}},{"meta":{"id":"","timestamp":-5.5}}],"cursor":7}'),
    "null": response(b"null"),
    "repeated-keys": response(b'{"data":[],"data":{"valid":true}}'),
    "long-number": response(b'{"data":{"valid":1' + b"0" * 5000 + b"}}"),
    "long-header": b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: %s\r\n" % (i, b"y" * 1000) for i in range(500)) + b"\r\n{}",
    "not-gzip": response(b"plain", fields=["Content-Encoding: gzip"]),
    "truncated": b'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"data":',
    "interim": b"HTTP/1.1 100 Continue\r\n\r\n" * 1000 + response(b'{"data":[]}'),
    "odd-status": response(b"{}", "999 Odd"),
    "escapes": response(json.dumps({"errors": [{"message": f"\x1b]0;title\x07 {TOKEN} ::error::x"}]}).encode(), "500 No"),
    "endless": endless,
    "slow": slow,
}


def serve(connection, fault):
    try:
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(65536) or b"\r\n\r\n"
        if b"/test/setup HTTP" in received.split(b"\r\n")[0]:
            connection.sendall(response(SETUP))
        elif callable(fault):
            fault(connection)
        else:
            connection.sendall(fault)
    except OSError:
        pass
    finally:
        connection.close()


def accept(listener, fault):
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=[connection, fault], daemon=True).start()


if sys.argv[1] == "--list":
    print("\n".join(FAULTS))
else:
    # The whole server ends, so that most requests have no exchange that could show a fault.
    FAULTS["end"] = end
    listener = socket.create_server(("127.0.0.1", 0), backlog=128)
    threading.Thread(target=accept, args=[listener, FAULTS[sys.argv[1]]], daemon=True).start()
    print(listener.getsockname()[1], flush=True)
    while os.read(0, 4096):
        pass
