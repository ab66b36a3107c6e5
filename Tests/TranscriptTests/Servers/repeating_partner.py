"""A partner's server that repeats every credential that the client knows, wherever a client may show it.

A client cannot recognize an issued token in a response that overtakes the one that issues it. So an issued
token is repeated in the response that issues it, and then from the first request on that uses it.

It rejects the first access token, and prints its URL. It ends with stdin.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote

SERVICE_KEY, FIRST_ACCESS, NEW_ACCESS, NEW_REFRESH = sys.argv[1:5]
ISSUED = [NEW_ACCESS, NEW_REFRESH]
known = [SERVICE_KEY, FIRST_ACCESS]
polls = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body, repeated):
        # A line that is cut after 80 characters would split a credential.
        all_of_them = " ".join(repeated)
        body = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", f"{repeated[-1]}/{'x' * (68 - len(repeated[-1]))}/{all_of_them}")
        self.send_header("X-Note", all_of_them)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def respond(self):
        sent = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        if self.path.endswith("/token"):
            form = parse_qs(sent)
            known.extend(form["refresh_token"] + form["client_secret"])
            tokens = {"access_token": NEW_ACCESS, "refresh_token": NEW_REFRESH, "token_type": "Bearer"}
            return self.answer(200, tokens, known + ISSUED)
        if self.headers.get("Authorization") == f"Bearer {NEW_ACCESS}" and NEW_ACCESS not in known:
            known.extend(ISSUED)
        self.answer(*self.repeating(known), known)

    def repeating(self, repeated):
        """The status and the body of a response that repeats credentials."""
        note = "; ".join(repeated + [quote(word, safe="") for word in repeated])
        if self.headers.get("Authorization") == f"Bearer {FIRST_ACCESS}":
            return 401, {"errors": [{"message": note}]}
        if self.path.endswith("/options"):
            return 200, {"data": [{"label": "Away", "value": "sc_06"}]}
        if self.path.endswith("/validate"):
            return 404, {}
        if "/actions/" in self.path or "/webhooks/" in self.path:
            return 400, {"errors": [{"message": note}]}
        global polls
        polls = min(polls + 1, 4)
        note = f"{polls}; {note}"
        row = {"meta": {"id": note, "timestamp": 1772600000}, "lamp": note, "lamp_name": note, "switched_on_at": note}
        return 200, {"data": [row]}

    do_GET = do_POST = do_DELETE = respond


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
threading.Thread(target=server.serve_forever, daemon=True).start()
print(f"http://127.0.0.1:{server.server_address[1]}", flush=True)
while os.read(0, 4096):
    pass
sys.exit(0)
