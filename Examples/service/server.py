"""HTTP: routes, request bodies, error responses, compression and the log. It has no knowledge of the endpoints."""

import gzip
import json
import re
import sys
import threading
import traceback
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple, Optional
from urllib.parse import parse_qsl, unquote

JSON = "application/json; charset=utf-8"
BODY_LIMIT = 1 << 20
SECRET_HEADERS = {"authorization", "cookie", "ifttt-service-key", "ifttt-channel-key"}
SECRET_FIELDS = {"client_secret", "code", "refresh_token"}


class Response(NamedTuple):
    """A response. `body` is None, a text, or a value that is sent as JSON."""

    status: int = 200
    body: object = None
    content_type: str = JSON
    headers: tuple = ()


class Failure(Exception):
    """An error response. IFTTT shows `message` to users. `details` are other keys of the error."""

    def __init__(self, status, message, headers=(), details=None):
        super().__init__(message)
        self.response = Response(status, {"errors": [{"message": message, **(details or {})}]}, headers=headers)


class Request:
    def __init__(self, method, target, headers, content):
        self.method, self.headers, self.content = method, headers, content
        self.path, _, query = target.partition("?")
        self.query = dict(parse_qsl(query, keep_blank_values=True))

    def json(self):
        """The JSON object in the body. An empty body counts as an empty object."""
        try:
            body = json.loads(self.content or b"{}")
        except (ValueError, RecursionError):
            raise Failure(400, "The body is not JSON.") from None
        if not isinstance(body, dict):
            raise Failure(400, "The body is not a JSON object.")
        return body

    def form(self):
        return dict(parse_qsl(self.content.decode("utf-8", "replace"), keep_blank_values=True))


class Route(NamedTuple):
    method: str
    path: re.Pattern
    name: str
    access: Optional[str]


def endpoint(method, path, access=None):
    """Makes a method the endpoint of a path. Each `{name}` in the path is one segment, and an argument of the method.

    `access` is the name of the method that checks the credentials of a request.
    """
    pattern = re.compile(re.sub(r"{(\w+)}", r"(?P<\1>[^/]+)", path))

    def mark(function):
        function.routes = [*getattr(function, "routes", []), Route(method, pattern, function.__name__, access)]
        return function
    return mark


class Application:
    """The endpoints of several objects. It looks each method up by its name, so that `rules.py` can replace it."""

    def __init__(self, *parts):
        self.routes = [(part, route) for part in parts for member in vars(type(part)).values()
                       for route in getattr(member, "routes", [])]

    def respond(self, request):
        matches = [(part, route, match) for part, route in self.routes if (match := route.path.fullmatch(request.path))]
        if not matches:
            raise Failure(404, "There is no such endpoint.")
        for part, route, match in matches:
            if route.method == request.method:
                if route.access and not getattr(part, route.access)(request):
                    raise Failure(401, "The credentials are missing or not valid.")
                return getattr(part, route.name)(request, *(unquote(segment) for segment in match.groups()))
        methods = ", ".join(sorted({route.method for _, route, _ in matches}))
        raise Failure(405, f"This endpoint supports only {methods}.", headers=(("Allow", methods),))


class Server(ThreadingHTTPServer):
    request_queue_size = 128

    def __init__(self, address, application, log=None):
        super().__init__(address, Handler)
        self.application, self.log, self.log_lock = application, log, threading.Lock()

    def handle_error(self, request, client_address):
        """Reports a defect. A client that closes its connection is not one."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def write_log(self, handler, content, status):
        """Appends a request to the log, one JSON object per line, with its secrets masked."""
        if not self.log:
            return
        headers = {name: "***" if name.lower() in SECRET_HEADERS else value for name, value in handler.headers.items()}
        body = content.decode("utf-8", "replace")
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            if "form" in handler.headers.get("Content-Type", ""):
                form = parse_qsl(body, keep_blank_values=True)
                body = {name: "***" if name in SECRET_FIELDS else value for name, value in form}
        record = {"method": handler.command, "path": handler.path, "headers": headers,
                  "body": body if content else None, "status": status}
        with self.log_lock:
            self.log.write(json.dumps(record) + "\n")
            self.log.flush()


class Handler(BaseHTTPRequestHandler):
    """One connection of a client, which may send several requests."""

    protocol_version = default_request_version = "HTTP/1.1"
    server_version = "LampostLights"
    disable_nagle_algorithm = True
    timeout = 60
    error_content_type = JSON
    error_message_format = '{"errors": [{"message": "This is not a valid HTTP request."}]}'

    def respond(self):
        self.content, self.unread = b"", 0
        try:
            self.read_content()
            response = self.server.application.respond(
                Request(self.command, self.path, self.headers, self.content))
        except Failure as failure:
            response = failure.response
        except OSError:
            raise  # The connection failed, not the service.
        except Exception:
            traceback.print_exc()
            response = Failure(500, "The service failed.").response
        self.server.write_log(self, self.content, response.status)
        self.send(response)

    def __getattr__(self, name):
        """The handler of each method, known or not. An unknown one gets 405 instead of Python's 501."""
        if name.startswith("do_"):
            return self.respond
        raise AttributeError(name)

    def read_content(self):
        """Reads the body. If its end is unknown, the connection cannot be used for another request."""
        length = self.headers.get("Content-Length", "0")
        keep_open, self.close_connection = self.close_connection, True
        if "Transfer-Encoding" in self.headers:
            raise Failure(411, "The request must have a Content-Length.")
        if not re.fullmatch("[0-9]{1,18}", length):
            raise Failure(400, "The Content-Length is not valid.")
        if int(length) > BODY_LIMIT:
            self.unread = int(length)
            raise Failure(413, "The body is larger than 1 MiB.")
        self.content = self.rfile.read(int(length))
        if len(self.content) < int(length):
            raise Failure(400, "The body is not complete.")
        self.close_connection = keep_open

    def send(self, response):
        text = response.body if isinstance(response.body, (str, type(None))) else json.dumps(response.body)
        content = (text or "").encode()
        self.send_response(response.status)
        for name, value in response.headers:
            self.send_header(name, value)
        if text is not None:
            self.send_header("Content-Type", response.content_type)
            self.send_header("Vary", "Accept-Encoding")
        if len(content) > 512 and accepts_gzip(self.headers.get("Accept-Encoding", "")):
            content = gzip.compress(content, mtime=0)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)
        # A client that is still sending reads the response only after its last byte.
        rest = min(self.unread, 16 * BODY_LIMIT)
        while rest > 0 and (chunk := self.rfile.read(min(rest, 1 << 16))):
            rest -= len(chunk)

    def log_message(self, format, *arguments):
        """Writes nothing: `--log` has the requests."""


def accepts_gzip(encodings):
    return re.search(r"\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))", encodings) is not None
