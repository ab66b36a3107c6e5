"""Usage events, validated against docs/api/events-and-privacy.md §1. Unknown members are violations."""
import json
import re

NAMES = {"sdk.impression", "sdk.click", "sdk.pageviewed", "sdk.statechange"}
IDENTIFIER = r"[A-Za-z0-9]{1,16}"
PROPERTIES = {
    "object_type": r"connection|connection_email|works_with_ifttt|button|modal",
    "object_id": IDENTIFIER,
    "object_status": r"enabled|disabled|never_enabled",
    "location_type": r"connect_button",
    "location_id": IDENTIFIER,
    "state": r"created|enabled",
}


def check(request, level):
    if level != "none" or request.header("ifttt-invite-code") is not None:
        request.complain("a credential beside usage events")
    try:
        body = json.loads(request.body)
    except ValueError:
        return request.complain("body %r" % request.body)
    if not isinstance(body, dict) or list(body) != ["events"] or not isinstance(body["events"], list):
        return request.complain("body %r" % request.body)
    if not 1 <= len(body["events"]) <= 10:
        request.complain("%d events" % len(body["events"]))
    for event in body["events"]:
        check_event(request, event)


def check_event(request, event):
    if not isinstance(event, dict) or sorted(event) != ["name", "properties", "timestamp"]:
        return request.complain("event %r" % event)
    if event["name"] not in NAMES:
        request.complain("event name %r" % event["name"])
    if not isinstance(event["timestamp"], str) or not re.fullmatch(r"[0-9]{13}", event["timestamp"]):
        request.complain("timestamp %r" % event["timestamp"])
    for name, value in event["properties"].items():
        pattern = PROPERTIES.get(name)
        if pattern is None or not isinstance(value, str) or not re.fullmatch(pattern, value):
            request.complain("property %s=%r" % (name, value))
