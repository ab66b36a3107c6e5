"""Defects on purpose, to see that a tester finds them. The rest of the service has no knowledge of them.

Each entry of RULES breaks one rule of IFTTT. It wraps methods of the service, or of its sign-in, and leaves the others
unchanged. `override` is called with the original method and its arguments.
"""

import functools
import uuid
from typing import Callable, NamedTuple, Tuple

from endpoints import DEFAULT_LIMIT, FIELDS_KEYS, SAMPLES
from oauth import FIRST_USER, USERS
from server import Failure, Response


class Rule(NamedTuple):
    defect: str
    methods: Tuple[str, ...]
    override: Callable
    needs_sign_in: bool = False


def result(change):
    """An override that changes the result of a method."""
    return lambda method, *arguments: change(method(*arguments))


def data(change):
    """An override that changes `data` in a response."""
    return result(lambda response: response._replace(body={**response.body, "data": change(response.body["data"])}))


ERROR = result(lambda response: Failure(500, "This endpoint is broken on purpose.").response)


def without(name, record):
    return {key: value for key, value in record.items() if key != name}


def with_meta(row, **changes):
    return {**row, "meta": {**row["meta"], **changes}}


def is_webhook(request):
    return request.path.startswith("/ifttt/v1/webhooks/")


def reject_unknown_keys(respond, request, slug):
    response = respond(request, slug)
    known = {"trigger_identity", "limit", "cursor", "include", "user", "ifttt_source", *FIELDS_KEYS.values()}
    if not known.issuperset(request.json()):
        raise Failure(400, "The body has an unknown key.")
    return response


def fill_in_fields(fields, kind, slug, body):
    """Uses the sample if the object of the fields is missing."""
    return fields(kind, slug, {FIELDS_KEYS[kind]: SAMPLES[kind].get(slug, {}), **body})


def fill_in_field(fields, kind, slug, body):
    """Uses the value of the sample if a field is missing."""
    given = body.get(FIELDS_KEYS[kind])
    if isinstance(given, dict):
        body = {**body, FIELDS_KEYS[kind]: {**SAMPLES[kind].get(slug, {}), **given}}
    return fields(kind, slug, body)


def accept_unknown(state_and_user):
    """Accepts an unknown code or refresh token, for the first user."""
    return ("valid", FIRST_USER) if state_and_user[0] == "unknown" else state_and_user


def repeat_last_page(page, rows, limit, cursor):
    rows, following = page(rows, limit, cursor)
    return rows, following or (rows[0]["lamp"] if rows else None)


RULES = {
    "status-ok": Rule(
        "`status` responds with 500", ("status",),
        result(lambda response: Response(500) if response.status == 200 else response)),
    "status-without-body": Rule(
        "`status` has a body", ("status",),
        result(lambda response: Response(200, {"data": {}}) if response.status == 200 else response)),
    "wrong-key": Rule(
        "any service key is accepted, except by webhooks", ("has_key",),
        lambda has_key, request: has_key(request) or not is_webhook(request)),
    "wrong-token": Rule(
        "any access token is accepted", ("user",), result(lambda user: user or USERS[FIRST_USER]), needs_sign_in=True),
    "setup": Rule("`test/setup` responds with 500", ("set_up_test",), ERROR),
    "setup-samples": Rule(
        "the samples of triggers are missing", ("set_up_test",),
        data(lambda setup: {**setup, "samples": without("triggers", setup["samples"])})),
    "user-info": Rule("`user/info` responds with 500", ("user_info",), ERROR, needs_sign_in=True),
    "user-id": Rule(
        "the user's id is a number", ("user_info",), data(lambda user: {**user, "id": 5521}), needs_sign_in=True),
    "user-name": Rule(
        "the user's name is missing", ("user_info",), data(lambda user: without("name", user)), needs_sign_in=True),
    "content-type": Rule(
        "triggers respond with text/plain", ("trigger",),
        result(lambda response: response._replace(content_type="text/plain; charset=utf-8"))),
    "response": Rule("triggers respond with 500", ("trigger",), ERROR),
    "returns-at-least-three-items": Rule(
        "triggers have only two events", ("timeline",), result(lambda events: events[:2])),
    "at-most-50-items": Rule(
        "triggers return more than 50 events unless there is a limit", ("limit",),
        lambda limit, body: 1000 if body.get("limit") is None else limit(body)),
    "limit-1": Rule(
        "triggers ignore the limit 1", ("newest",),
        lambda newest, lamp, limit: newest(lamp, DEFAULT_LIMIT if limit == 1 else limit)),
    "limit-0": Rule(
        "triggers ignore the limit 0", ("newest",),
        lambda newest, lamp, limit: newest(lamp, DEFAULT_LIMIT if limit == 0 else limit)),
    "newest-first": Rule("the oldest event is first", ("timeline",), result(lambda events: events[::-1])),
    "unique-ids": Rule(
        "the first two events have the same `meta.id`", ("trigger",),
        data(lambda rows: rows[:1] + [with_meta(row, id=rows[0]["meta"]["id"]) for row in rows[1:2]] + rows[2:])),
    "stable-ids": Rule(
        "each response has new `meta.id`s", ("trigger",),
        data(lambda rows: [with_meta(row, id=str(uuid.uuid4())) for row in rows])),
    "timestamps": Rule(
        "`meta.timestamp` is in milliseconds", ("trigger",),
        data(lambda rows: [with_meta(row, timestamp=row["meta"]["timestamp"] * 1000) for row in rows])),
    "ingredients": Rule(
        "the second event has no `brightness`", ("trigger",),
        data(lambda rows: rows[:1] + [without("brightness", row) for row in rows[1:2]] + rows[2:])),
    "with-extra-data": Rule(
        "an unknown key is rejected with 400", ("trigger", "query", "action"), reject_unknown_keys),
    "missing-fields": Rule("a missing fields object is accepted", ("fields",), fill_in_fields),
    "missing-field": Rule("a missing field is accepted", ("fields",), fill_in_field),
    "options-list": Rule("options are an object", ("options",), data(lambda options: {"options": options})),
    "valid-value": Rule(
        "each value of a field is invalid", ("validity",),
        result(lambda _: {"valid": False, "message": "No lamp has this name."})),
    "invalid-value": Rule("each value of a field is valid", ("validity",), result(lambda _: {"valid": True})),
    "validation-message": Rule(
        "a value that is not valid has no message", ("validity",), result(lambda found: without("message", found))),
    "field-results": Rule(
        "contextual validation has no result for the lamp", ("validate_together",),
        data(lambda results: without("lamp", results))),
    "action-id": Rule(
        "the id of an action's result is a number", ("action",),
        data(lambda items: [{**item, "id": 77} for item in items])),
    "action-one-item": Rule("actions return two items", ("action",), data(lambda items: items * 2)),
    "record-skipping": Rule(
        "the error that skips an event has no `status`", ("skip",),
        lambda skip, reason: Failure(400, reason)),
    "cursor": Rule("queries never return a cursor", ("page",), result(lambda page: (page[0], None))),
    "last-page": Rule("the last page of a query has a cursor, to itself", ("page",), repeat_last_page),
    "query-limit": Rule(
        "queries return two rows for the limit 1", ("page",),
        lambda page, rows, limit, cursor: page(rows, 2 if limit == 1 else limit, cursor)),
    "delete-identity": Rule("deleting a trigger identity responds with 500", ("delete_identity",), ERROR),
    "webhook-accepted": Rule("webhooks respond with 500", ("webhook",), ERROR),
    "webhook-wrong-key": Rule(
        "webhooks accept any service key", ("has_key",),
        lambda has_key, request: has_key(request) or is_webhook(request)),
    "token-type": Rule(
        "`token_type` is missing", ("sign_in.issue",), result(lambda tokens: without("token_type", tokens)),
        needs_sign_in=True),
    "bad-code": Rule(
        "an unknown code is accepted", ("sign_in.redeem_code",), result(accept_unknown), needs_sign_in=True),
    "bad-refresh-token": Rule(
        "an unknown refresh token is accepted", ("sign_in.redeem_refresh_token",), result(accept_unknown),
        needs_sign_in=True),
    "state": Rule(
        "the redirect returns another state", ("sign_in.redirect",),
        lambda redirect, parameters, **results: redirect({**parameters, "state": "another-state"}, **results),
        needs_sign_in=True),
    "ensure-older-refresh-token-does-not-expire-immediately": Rule(
        "an old refresh token stops working after a refresh", ("sign_in.redeem_refresh_token",),
        result(lambda found: ("expired", None) if found[0] == "replaced" else found), needs_sign_in=True),
}


def break_rule(service, name):
    for path in RULES[name].methods:
        part, method = (service.sign_in, path[len("sign_in."):]) if path.startswith("sign_in.") else (service, path)
        setattr(part, method, functools.partial(RULES[name].override, getattr(part, method)))
