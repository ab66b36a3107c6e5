"""Runs oidc-provider-mock on a free loopback port until stdin is closed."""
import json, os, sys, threading, warnings

warnings.simplefilter("ignore")
import werkzeug.serving
from oidc_provider_mock import User, app

people = [User(sub="alice", claims={"email": "alice@mail.test", "name": "Alice Tan"})]
server = werkzeug.serving.make_server("127.0.0.1", 0, app(user_claims=people), threaded=True)
print(json.dumps({"base": f"http://127.0.0.1:{server.server_port}"}), flush=True)


def watch():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=watch, daemon=True).start()
server.serve_forever()
