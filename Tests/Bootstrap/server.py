"""A server on this machine whose connections can break."""
import http.server
import socket
import ssl
import struct
import threading


class Server(http.server.ThreadingHTTPServer):
    """Serves `files`, a dictionary from paths to bytes.

    `faults` has a list of faults for a path; each request takes the first:
    `reset` and `short` break off in the middle of the body, `stall` sends half of it and then waits until the client
    leaves, `whole` ignores the range, ("redirect", URL) redirects, and None is no fault.
    """

    daemon_threads = True

    def __init__(self, files, certificate=None):
        super().__init__(("127.0.0.1", 0), Handler)
        self.files = dict(files)
        self.faults = {}
        self.requests = []
        self.stalled = threading.Event()
        scheme = "http"
        if certificate:
            scheme = "https"
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.socket = context.wrap_socket(self.socket, server_side=True)
        self.url = f"{scheme}://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.01,), daemon=True).start()

    def handle_error(self, request, client_address):
        """Clients that leave are part of the tests."""

    def close(self):
        self.shutdown()
        self.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        server = self.server
        offset = self.headers.get("Range", "bytes=0-")[len("bytes="):].rstrip("-")
        start = int(offset)
        server.requests.append((self.path, start))
        faults = server.faults.get(self.path)
        fault = faults.pop(0) if faults else None
        if isinstance(fault, tuple):
            self.send_response(302)
            self.send_header("Location", fault[1])
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if self.path not in server.files:
            self.send_error(404)
            return
        content = server.files[self.path]
        if fault == "whole":
            start = 0
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        self.end_headers()
        if fault is None or fault == "whole":
            self.wfile.write(content[start:])
            return
        self.wfile.write(content[start:(start + len(content)) // 2])
        self.wfile.flush()
        self.close_connection = True
        if fault == "stall":
            server.stalled.set()
            self.rfile.read(1)
        elif fault == "reset":
            # With this option, closing sends a reset instead of the orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
