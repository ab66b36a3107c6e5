"""Passes requests on to a partner's server, and sends its responses as a web framework would.

All of these forms are correct, except that `fastapi` has no charset. The arguments are the form and the URL of the server; it prints its port and ends with
stdin. With --list, prints the forms.
"""

import gzip
import http.client
import http.server
import os
import sys
import threading
import zlib

JSON = "application/json"


def chunked(body):
    """Chunks of uneven sizes, one with an extension, and a trailer."""
    pieces = [body[:1], body[1:8], body[8:]]
    lines = [b"%x%s\r\n%s\r\n" % (len(piece), b";a=b" if place else b"", piece) for place, piece in enumerate(pieces) if piece]
    return b"".join(lines) + b"0\r\nServer-Timing: total\r\n\r\n"


def express(status, body):
    # A 200 with a body has a weak ETag, and the connection announces its timeout.
    fields = ["X-Powered-By: Express", 'ETag: W/"1f-abc"', "Vary: Accept-Encoding", "Connection: keep-alive", "Keep-Alive: timeout=5"]
    return head(status, fields, body) + body


def compressed(status, body):
    # compression() of Express and Rack::Deflater: gzip without a length, in chunks.
    if not body:
        return head(status, [], body)
    packed = gzip.compress(body)
    return head(status, ["Content-Encoding: gzip", "Transfer-Encoding: chunked"], None, JSON + "; charset=utf-8") + chunked(packed)


def deflated(status, body):
    packed = zlib.compress(body) if body else b""
    return head(status, ["Content-Encoding: deflate"] if body else [], packed, JSON + "; charset=utf-8" if body else None) + packed


def hyper(status, body):
    return head(status, [], body).lower().replace(b"http/1.1", b"HTTP/1.1") + body


def spring(status, body):
    return head(status, ["Cache-Control: no-cache, no-store", "X-Frame-Options: DENY"], body, JSON + ";charset=UTF-8") + body


def aspnet(status, body):
    return head(status, ["Server: Kestrel"], body, JSON + '; odata.metadata=minimal; charset="utf-8"') + body


def wsgi(status, body):
    # The reference server of Python: HTTP/1.0, and the body ends with the connection.
    return head(status, ["Server: WSGIServer/0.2"], None, JSON + "; charset=utf-8" if body else None, "1.0") + body


def cgi(status, body):
    # A reason that is missing, folded spaces around values, and an interim response before.
    return b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n" + head(status, ["X-PHP:   8.2  "], body) + body


def fastapi(status, body):
    # FastAPI, and Response.json() of JavaScript.
    return head(status, ["server: uvicorn"], body, JSON) + body


FORMS = {form.__name__: form for form in (fastapi, express, compressed, deflated, hyper, spring, aspnet, wsgi, cgi)}
# These close the connection without an announcement once a response was sent, as servers do that restart.
FORMS["restarting"] = express


def head(status, fields, body, kind=JSON + "; charset=utf-8", version="1.1"):
    lines = [f"HTTP/{version} {status} ", "Date: Mon, 21 Sep 2026 14:13:20 GMT", *fields]
    if kind and (body is None or body):
        lines.append(f"Content-Type: {kind}")
    if body is not None:
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def pass_on(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        upstream = http.client.HTTPConnection(self.server.upstream)
        upstream.request(self.command, self.path, body, {**dict(self.headers), "Accept-Encoding": "identity"})
        response = upstream.getresponse()
        self.wfile.write(FORMS[form](response.status, response.read()))
        self.wfile.flush()
        self.close_connection = form in ("wsgi", "restarting")

    do_GET = do_POST = do_DELETE = pass_on

    def log_message(self, *_):
        pass


if sys.argv[1] == "--list":
    print("\n".join(FORMS))
else:
    form = sys.argv[1]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.upstream = sys.argv[2].removeprefix("http://")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    while os.read(0, 4096):
        pass
