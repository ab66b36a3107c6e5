"""Sign-in: the OAuth 2 server that gives IFTTT an access token for a user.

It has a few users and no passwords. A real service asks for a password before the page with the two buttons.
"""

import hashlib
import html
import re
import secrets
import threading
import time
from urllib.parse import urlencode

from server import Failure, Response, endpoint

CODE_LIFETIME = 600
# IFTTT can lose the response to a refresh. If the old refresh token stopped working at once, the user would then have
# to sign in again.
OLD_TOKEN_LIFETIME = 24 * 60 * 60
# IFTTT stores the id. It is permanent, and neither an email address nor a name that can change.
USERS = {user["id"]: user for user in (
    {"id": "u-5521", "name": "Kai", "url": "https://lampost.test/people/u-5521"},
    {"id": "u-7304", "name": "Mira", "url": "https://lampost.test/people/u-7304"},
    {"id": "u-9917", "name": "Noor", "url": "https://lampost.test/people/u-9917"},
)}
FIRST_USER = "u-5521"
LOOPBACK = re.compile(r"http://(127\.0\.0\.1|localhost|\[::1\])(:[0-9]+)?(/[!-~]*)?")
NO_STORE = (("Cache-Control", "no-store"),)
PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>Lampost Lights</title>
<h1>Lampost Lights</h1>
<form method="post">
{fields}
<fieldset>
<legend>Who are you?</legend>
{users}
</fieldset>
<p>Allow IFTTT to read your lamps and to set scenes?</p>
<button name="decision" value="allow">Allow</button>
<button name="decision" value="deny">Deny</button>
</form>
</html>
"""
PAGE_HEADERS = (*NO_STORE, ("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"))


class TokenFailure(Failure):
    """The error response of the token endpoint, whose form the OAuth standard defines."""

    def __init__(self, error, description, status=400):
        super().__init__(status, description, NO_STORE)
        self.response = self.response._replace(body={"error": error, "error_description": description})


def digest(secret):
    """The key of a code or token in a table. Its lookup time reveals nothing about the secret."""
    return hashlib.sha256(secret.encode()).digest()


class SignIn:
    """Codes and tokens. `lock` guards the tables, which have digests as their keys."""

    def __init__(self, client_id, client_secret, redirect_uris, auto_allow=False, token_lifetime=None):
        self.client = digest(client_id), digest(client_secret)
        self.redirect_uris, self.auto_allow, self.token_lifetime = redirect_uris, auto_allow, token_lifetime
        self.lock = threading.Lock()
        # Each has the id of its user, and the time at which it expires.
        self.codes, self.used_codes = {}, set()
        self.access_tokens, self.refresh_tokens = {}, {}

    def user(self, token):
        """The user to whom an access token belongs, or None."""
        with self.lock:
            user, expires = self.access_tokens.get(digest(token), (None, 0))
        return USERS[user] if time.time() < expires else None

    def issue(self, user=FIRST_USER):
        """New tokens for a user, as the token endpoint returns them. Refresh tokens do not expire by time."""
        tokens = {"token_type": "Bearer", "access_token": secrets.token_urlsafe(32),
                  "refresh_token": secrets.token_urlsafe(32)}
        if self.token_lifetime:
            tokens["expires_in"] = self.token_lifetime
        with self.lock:
            self.access_tokens[digest(tokens["access_token"])] = (
                user, time.time() + (self.token_lifetime or float("inf")))
            self.refresh_tokens[digest(tokens["refresh_token"])] = user, float("inf")
        return tokens

    # --- The browser ---

    @endpoint("GET", "/oauth/authorize")
    def authorize(self, request):
        self.check(request.query)
        if self.auto_allow or request.query.get("response_type") != "code":
            return self.decide({**request.query, "user": FIRST_USER}, "allow")
        names = ("client_id", "redirect_uri", "response_type", "scope", "state")
        fields = (f'<input type="hidden" name="{name}" value="{html.escape(request.query.get(name, ""))}">'
                  for name in names if name in request.query)
        users = (f'<label><input type="radio" name="user" value="{user["id"]}"'
                 f'{" checked" if user["id"] == FIRST_USER else ""}> {html.escape(user["name"])}</label>'
                 for user in USERS.values())
        return Response(200, PAGE.format(fields="\n".join(fields), users="\n".join(users)), "text/html; charset=utf-8", PAGE_HEADERS)

    @endpoint("POST", "/oauth/authorize")
    def submit(self, request):
        form = request.form()
        self.check(form)
        return self.decide(form, form.get("decision"))

    def check(self, parameters):
        """Rejects a request that does not come from IFTTT. A redirect to an unknown address would reveal the code."""
        address = parameters.get("redirect_uri", "")
        if digest(parameters.get("client_id", "")) != self.client[0]:
            raise Failure(400, "The client_id is unknown.")
        if address not in self.redirect_uris and not LOOPBACK.fullmatch(address):
            raise Failure(400, "The redirect_uri is not registered.")

    def decide(self, parameters, decision):
        if parameters.get("response_type") != "code":
            return self.redirect(parameters, error="unsupported_response_type")
        if decision != "allow":
            return self.redirect(parameters, error="access_denied")
        if parameters.get("user") not in USERS:
            raise Failure(400, "The user is unknown.")
        code = secrets.token_urlsafe(32)
        with self.lock:
            self.codes[digest(code)] = parameters["user"], parameters["redirect_uri"], time.time() + CODE_LIFETIME
        return self.redirect(parameters, code=code)

    def redirect(self, parameters, **results):
        """A redirect to IFTTT. It returns `state`, by which IFTTT recognizes its own sign-in."""
        if "state" in parameters:
            results["state"] = parameters["state"]
        address = parameters["redirect_uri"]
        location = f"{address}{'&' if '?' in address else '?'}{urlencode(results)}"
        return Response(302, headers=(("Location", location), *NO_STORE))

    # --- IFTTT's server ---

    @endpoint("POST", "/oauth/token")
    def token(self, request):
        form = request.form()
        given = digest(form.get("client_id", "")), digest(form.get("client_secret", ""))
        if given != self.client:
            raise TokenFailure("invalid_client", "The client_id or the client_secret is wrong.", status=401)
        if form.get("grant_type") == "authorization_code":
            state, user = self.redeem_code(form.get("code", ""), form.get("redirect_uri"))
        elif form.get("grant_type") == "refresh_token":
            state, user = self.redeem_refresh_token(form.get("refresh_token", ""))
        else:
            raise TokenFailure("unsupported_grant_type", "The grant_type is not supported.")
        if state not in ("valid", "replaced"):
            raise TokenFailure("invalid_grant", f"The code or token is {state}.")
        return Response(200, self.issue(user), headers=NO_STORE)

    def redeem_code(self, code, redirect_uri):
        """Uses a code, which works only once. Returns its state before, and its user."""
        key = digest(code)
        with self.lock:
            if key in self.used_codes:
                return "used", None
            if key not in self.codes:
                return "unknown", None
            self.used_codes.add(key)
            user, registered, expires = self.codes.pop(key)
        if registered != redirect_uri:
            return "for another redirect_uri", None
        return "valid" if time.time() < expires else "expired", user

    def redeem_refresh_token(self, token):
        """Replaces a refresh token, and returns its state before, and its user.

        A replaced one works for OLD_TOKEN_LIFETIME.
        """
        key, now = digest(token), time.time()
        with self.lock:
            if key not in self.refresh_tokens:
                return "unknown", None
            user, expires = self.refresh_tokens[key]
            self.refresh_tokens[key] = user, min(expires, now + OLD_TOKEN_LIFETIME)
        if expires == float("inf"):
            return "valid", user
        return "replaced" if now < expires else "expired", user
