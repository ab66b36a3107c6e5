"""A hostile loopback OpenID provider with one fault per path: BASE/MODE. `good` has none. Exits when stdin closes."""
import json, os, sys, threading, time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

from jwcrypto import jwk, jws

ours = jwk.JWK.generate(kty="RSA", size=2048, kid="k-1", alg="RS256", use="sig")
theirs = jwk.JWK.generate(kty="RSA", size=2048, kid="k-1", alg="RS256", use="sig")
spent, asked = set(), []
# The changes of each mode to the claims of a valid ID token.
CLAIMS = {
    "nonce": {"nonce": "of-another-sign-in"}, "no-nonce": {"nonce": None}, "audience": {"aud": "someone-else"},
    "empty-audience": {"aud": []}, "issuer": {"iss": "https://idp.grab.com"}, "expired": {"exp": int(time.time()) - 61},
    "old": {"iat": int(time.time()) - 700}, "at-hash": {"at_hash": "AAAAAAAAAAAAAAAAAAAAAA"}, "azp": {"azp": "someone-else"},
}


class Provider(BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def answer(self, status, body, **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        url = urlsplit(self.path)
        mode, _, rest = url.path[1:].partition("/")
        sent = {name: values[0] for name, values in parse_qs(url.query).items()}
        base = f"http://127.0.0.1:{self.server.server_port}/{mode}"
        if rest == ".well-known/openid-configuration":
            document = {
                "issuer": base, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
                "jwks_uri": base + "/keys", "revocation_endpoint": base + "/revoke",
                "device_authorization_endpoint": base + "/device", "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": True}
            if mode == "discovery-issuer":
                document["issuer"] = base.upper()
            if mode == "plain-endpoint":
                document["token_endpoint"] = "http://idp.lampost.test/token"
            if mode == "big":
                document["padding"] = "x" * (1 << 20)
            self.answer(200, document)
        elif rest == "authorize":
            back = {"code": sent["nonce"], "state": sent["state"], "iss": base}
            if mode == "no-state":
                del back["state"]
            if mode == "state":
                back["state"] = "x" * 43
            if mode == "mixed-up":
                back["iss"] = "https://idp.grab.com"
            if mode == "no-iss":
                del back["iss"]
            if mode == "refusal-without-state":
                back = {"error": "access_denied"}
            to = "https://evil.test/callback" if mode == "open-redirect" else sent["redirect_uri"]
            query = urlencode(back) + ("&code=second" if mode == "two-codes" else "")
            self.answer(302, b"", Location=f"{to}?{query}")
        elif rest == "keys":
            self.answer(200, {"keys": [json.loads(ours.export_public())]})
        elif rest == "asked":
            self.answer(200, asked)
        else:
            self.answer(404, b"")

    def do_POST(self):
        mode, _, rest = self.path[1:].partition("/")
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        sent = {name: values[0] for name, values in parse_qs(body).items()}
        asked.append(mode)
        base = f"http://127.0.0.1:{self.server.server_port}/{mode}"
        code = sent.get("code", "")
        if (mode, code) in spent or mode == "replayed":
            return self.answer(400, {"error": "invalid_grant"})
        spent.add((mode, code))
        now = int(time.time())
        claims = {"iss": base, "aud": sent["client_id"], "sub": "u-1", "iat": now, "exp": now + 600, "nonce": code}
        claims = {name: value for name, value in {**claims, **CLAIMS.get(mode, {})}.items() if value is not None}
        token = jws.JWS(json.dumps(claims))
        token.allowed_algs = ["RS256", "HS256", "none"]
        key, head = ours, {"alg": "RS256", "kid": "k-1"}
        if mode == "signature":
            key = theirs
        if mode == "none":
            head = {"alg": "none"}
        if mode == "hs256":
            pem = ours.export_to_pem()
            key, head = jwk.JWK(kty="oct", k=jwk.base64url_encode(pem)), {"alg": "HS256", "kid": "k-1"}
        token.add_signature(key, None, json.dumps(head), None)
        answer = {"access_token": "at-" + code, "token_type": "Bearer", "expires_in": 600,
                  "id_token": token.serialize(compact=True)}
        if mode == "moved":
            return self.answer(307, b"", Location=base + "/elsewhere")
        if mode == "html":
            return self.answer(200, b"<html>")
        if mode == "cut-off":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"access_token"')
            return self.wfile.flush()
        self.answer(200, answer)


server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
print(json.dumps({"base": f"http://127.0.0.1:{server.server_port}"}), flush=True)


def watch():
    sys.stdin.buffer.read()
    os._exit(0)


threading.Thread(target=watch, daemon=True).start()
server.serve_forever()
