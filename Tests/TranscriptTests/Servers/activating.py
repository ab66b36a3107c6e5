"""IFTTT's activation pages. They validate the URL with which they are opened, and complete the activation immediately.

Written from docs/api/activation.md alone. The connection's id selects the outcome: `never-ok…`, `never-plain…`
(complete without a token), `never-cancel…`, `never-sign-in…`, `never-stay…` (the page stays).
"""
import re

import faults

ORDER = {
    "sdk": [
        "sdk_return_to", "sdk_version", "sdk_platform", "sdk_anonymous_id", "invite_code", "locale", "skip_config", "email",
        "username", "sdk_create_account", "code"],
    "connect": ["email", "redirect_uri", "code", "skip_config"],
}
NEEDED = {"sdk": ["sdk_return_to", "sdk_version", "sdk_platform", "sdk_anonymous_id"], "connect": ["email"]}
ENDINGS = {
    "ok": "next_step=complete&user_token=%s", "plain": "next_step=complete", "cancel": "next_step=user_cancelled_configuration",
    "sign-in": "next_step=error&error_type=auth_error",
}


def page(path):
    """Return which of the two pages a path names, and its connection."""
    if path[:2] == ["access", "api"] and len(path) == 3:
        return "sdk", path[2]
    if path[:1] == ["connect"] and len(path) == 2:
        return "connect", path[1]
    return None


def check(kind, request):
    names, query = list(request.query), request.query
    if names != [name for name in ORDER[kind] if name in query]:
        request.complain("query items %s" % names)
    for name in NEEDED[kind]:
        if not query.get(name):
            request.complain("no %s" % name)
    if kind == "sdk" and ("email" in query) == ("username" in query):
        request.complain("email and username")
    if "sdk_create_account" in query and (query["sdk_create_account"] != "true" or "email" not in query):
        request.complain("sdk_create_account")
    if query.get("skip_config", "true") != "true":
        request.complain("skip_config")
    if query.get("sdk_platform") in ("ios", "android"):
        request.complain("sdk_platform")
    uuid = r"[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}"
    if not re.fullmatch(uuid, query.get("sdk_anonymous_id", "0" * 8 + "-0000-4000-8000-" + "0" * 12)):
        request.complain("sdk_anonymous_id")
    if not re.fullmatch(r"[a-zA-Z]{2,3}(-[A-Za-z0-9]{2,8})*", query.get("locale", "en")):
        request.complain("locale")


def visit(call, kind, identifier, token):
    """Respond to a browser."""
    request = call.request
    check(kind, request)
    call.server.record(call.number, request, "none")
    if request.wrong:
        call.stream.sendall(faults.error("400 Bad Request", "violation", "; ".join(request.wrong)))
        return True
    ending = next((ENDINGS[name] for name in ENDINGS if identifier.startswith("never-" + name)), None)
    if ending is None:
        call.stream.sendall(faults.message(b"stay", kind="text/plain"))
        return True
    if "complete" in ending:
        call.server.statuses[identifier] = "enabled"
    target = request.query.get("sdk_return_to") or request.query["redirect_uri"]
    if kind == "sdk":
        target += ("&" if "?" in target else "?") + (ending % token if "%s" in ending else ending)
    call.stream.sendall(faults.message(b"", "303 See Other", headers=["Location: " + target]))
    return True
