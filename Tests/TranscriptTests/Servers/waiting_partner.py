"""A partner's server whose trigger responds only after an action has run.

It prints its URL, and ends with stdin.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

has_acted = threading.Event()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def respond(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        data = []
        if self.path.endswith("/options"):
            data = [{"label": "Away", "value": "sc_06"}]
        elif "/actions/" in self.path:
            has_acted.set()
            data = [{"id": "1"}]
        elif "/triggers/" in self.path:
            has_acted.wait()
        body = json.dumps({"data": data}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_DELETE = respond


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
while os.read(0, 4096):
    pass
sys.exit(0)
