"""Faulty responses. The part of a connection's id after `fault-` selects the fault."""
import gzip
import json
import socket
import struct
import time

AHEAD = "HTTP/1.1 200 OK\r\nContent-Type: application/json; charset=utf-8\r\n"


def plain(identifier, **more):
    """A small connection; `more` replaces or adds keys."""
    connection = {
        "type": "connection", "id": identifier, "name": "Lamps", "description": "Dims the lamps.",
        "url": "https://ifttt.com/applets/" + identifier, "user_status": None, "features": [],
        "services": [{
            "service_id": "lampost", "service_name": "Lampost Lights", "service_short_name": "Lampost",
            "is_primary": True, "brand_color": "#3a7d44", "url": "https://ifttt.com/lampost",
            "monochrome_icon_url": "https://assets.ifttt.com/images/channels/7000001/icons/monochrome_regular.png",
        }],
    }
    connection.update(more)
    return connection


def message(body, status="200 OK", kind="application/json; charset=utf-8", headers=()):
    if not isinstance(body, bytes):
        body = json.dumps(body).encode()
    lines = ["HTTP/1.1 " + status, "Content-Type: " + kind, "Content-Length: %d" % len(body), *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def error(status, code, words, headers=()):
    return message({"type": "error", "code": code, "message": words, "details": []}, status, headers=headers)


def reset(stream):
    stream.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stream.close()


def flood(stream, head, piece, pieces):
    """Send all pieces, or stop when the client closes the connection."""
    try:
        stream.sendall(head)
        for _ in range(pieces):
            stream.sendall(piece)
    except OSError:
        pass
    stream.close()


def flaky(count, status, headers, identifier):
    """Fail the first request, and then respond."""
    if count > 1:
        return message(plain(identifier))
    return message(b"busy", status, "text/plain", headers)


DATE = "Date: Sun, 06 Nov 1994 08:49:37 GMT"
HOSTILE_NAME = "a\x1b[31mred\x07\u202eevil\u2066\x9b2J\r\n\tb\x7f"

# Complete responses: id -> bytes.
BODIES = {
    "broken-json": b'{"type":"connection","id":"fault-broken-json","name":',
    "html": b"<html><body>Captive portal</body></html>",
    "empty": b"",
    "array": b"[]",
    "number": b"12",
    "null": b"null",
    "error-200": json.dumps({"type": "error", "code": "teapot", "message": "no", "details": []}).encode(),
    "no-id": json.dumps({"type": "connection", "name": "no id"}).encode(),
    "wrong-id": json.dumps(plain("Another1")).encode(),
    "wrong-type": json.dumps(plain("fault-wrong-type", type="applet_from_elsewhere")).encode(),
    "deep": b'{"type":"connection","id":"fault-deep","x":' + b"[" * 200000 + b"]" * 200000 + b"}",
    "bad-utf8": json.dumps(plain("fault-bad-utf8", name="MARK")).encode().replace(b"MARK", b"caf\xe9 \xf0\x28"),
    "surrogate": json.dumps(plain("fault-surrogate", name="MARK")).encode().replace(b"MARK", b"\\ud800 \\udc00x"),
    "nul": json.dumps(plain("fault-nul", name="a\0b")).encode(),
    "raw-control": json.dumps(plain("fault-raw-control", name="MARK")).encode().replace(b"MARK", b"a\x01b"),
    "duplicate": json.dumps(plain("fault-duplicate")).encode()[:-1] + b',"name":"Second"}',
    "unknown-enum": json.dumps(plain("fault-unknown-enum", user_status="hibernating")).encode(),
    "wrong-types": json.dumps(plain(
        "fault-wrong-types", name=17, description=["x"], enabled_count="12", features={"a": 1},
        services=[None, 3, "x", {"service_id": 9}, {"service_id": "ok", "is_primary": "true"}],
        user_connection="soon", cover_image=[], url={"a": "b"})).encode(),
    "extra": json.dumps(plain("fault-extra", brand_new={"a": [1, {"b": None}]}, __proto__=1, status="x")).encode(),
    "escapes": json.dumps(plain("fault-escapes", name=HOSTILE_NAME, description=HOSTILE_NAME)).encode(),
    "big-name": json.dumps(plain("fault-big-name", name="n" * 10_000_000)).encode(),
    "list": json.dumps({"type": "list", "data": [plain("fault-list")]}).encode(),
    "bom": b"\xef\xbb\xbf" + json.dumps(plain("fault-bom")).encode(),
    "two": json.dumps(plain("fault-two")).encode() * 2,
}

# Final responses: id -> status, headers, body.
STATUSES = {
    "400": ("400 Bad Request", "bad_request", "Malformed"),
    "401": ("401 Unauthorized", "unauthorized", "Cannot uniquely identify user"),
    "403": ("403 Forbidden", "forbidden", "Not yours"),
    "409": ("409 Conflict", "conflict", "Changed meanwhile"),
    "422": ("422 Unprocessable Entity", "invalid_parameters", "The parameters of your request were invalid"),
    "500": ("500 Internal Server Error", "internal", "Oops \x1b[2J\u202e"),
    "418": ("418 Teapot", "teapot", "Short and stout"),
}

FLAKY = {
    "flaky-502": ("502 Bad Gateway", ["Retry-After: 0"]),
    "flaky-503": ("503 Service Unavailable", []),
    "flaky-503-after": ("503 Service Unavailable", ["Retry-After: 0"]),
    "flaky-504": ("504 Gateway Timeout", []),
    "flaky-429-seconds": ("429 Too Many Requests", ["Retry-After: 0"]),
    "flaky-429-date": ("429 Too Many Requests", [DATE, "Retry-After: Sunday, 06-Nov-94 08:49:37 GMT"]),
}

PATIENT = {
    "wait-503": ("503 Service Unavailable", ["Retry-After: 86400"]),
    "wait-503-long": ("503 Service Unavailable", ["Retry-After: 999999999999999999999999"]),
    "wait-429": ("429 Too Many Requests", ["Retry-After: 86400"]),
    "wait-429-date": ("429 Too Many Requests", [DATE, "Retry-After: Mon, 07 Nov 1994 08:49:37 GMT"]),
}


def respond(stream, identifier, count, server):
    """Send the fault. Return False if the connection must be closed."""
    name = identifier[len("fault-"):]
    body = json.dumps(plain(identifier)).encode()
    if name in BODIES:
        kind = "text/html" if name == "html" else "application/json"
        stream.sendall(message(BODIES[name], kind=kind))
    elif name in STATUSES:
        stream.sendall(error(*STATUSES[name]))
    elif name in FLAKY:
        stream.sendall(flaky(count, *FLAKY[name], identifier))
    elif name in PATIENT:
        stream.sendall(message(b"later", PATIENT[name][0], "text/plain", PATIENT[name][1]))
    elif name == "latency":
        time.sleep(0.02)
        stream.sendall(message(body))
    elif name == "204":
        stream.sendall(b"HTTP/1.1 204 No Content\r\n\r\n")
    elif name == "gzip":
        stream.sendall(message(gzip.compress(body), headers=["Content-Encoding: gzip"]))
    elif name == "bad-gzip":
        stream.sendall(message(b"not gzip at all", headers=["Content-Encoding: gzip"]))
    elif name == "chunked":
        pieces = [body[i:i + 7] for i in range(0, len(body), 7)]
        stream.sendall((AHEAD + "Transfer-Encoding: chunked\r\n\r\n").encode())
        stream.sendall(b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n")
    elif name == "cut-chunk":
        stream.sendall((AHEAD + "Transfer-Encoding: chunked\r\n\r\n").encode() + b"ff\r\n" + body[:20])
        return False
    elif name == "truncated":
        stream.sendall((AHEAD + "Content-Length: %d\r\n\r\n" % len(body)).encode() + body[:-10])
        return False
    elif name == "reset":
        reset(stream)
        return False
    elif name == "reset-in-body":
        stream.sendall((AHEAD + "Content-Length: 99999\r\n\r\n").encode() + body)
        reset(stream)
        return False
    elif name == "flaky-reset":
        if count == 1:
            reset(stream)
            return False
        stream.sendall(message(body))
    elif name == "drip":
        try:
            stream.sendall((AHEAD + "Content-Length: 99999\r\n\r\n").encode())
            while True:
                stream.sendall(b" ")
                time.sleep(0.02)
        except OSError:
            return False
    elif name == "huge":
        flood(stream, (AHEAD + "Content-Length: 104857600\r\n\r\n").encode(), b" " * 65536, 1600)
        return False
    elif name == "endless":
        head = (AHEAD + "Transfer-Encoding: chunked\r\n\r\n").encode()
        flood(stream, head, b"10000\r\n" + b" " * 65536 + b"\r\n", 1600)
        return False
    elif name == "elsewhere" and server.other is None:
        stream.sendall(message(body))
    elif name == "elsewhere":
        stream.sendall(message(b"", "302 Found", headers=["Location: %s/v2/connections/%s" % (server.other, identifier)]))
    elif name == "loop":
        stream.sendall(message(b"", "302 Found", headers=["Location: /v2/connections/fault-loop"]))
    elif name == "garbage":
        stream.sendall(b"\x00\x01\x02 this is no HTTP\r\n\r\n")
        return False
    else:
        return None
    return True
