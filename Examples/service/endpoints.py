"""The endpoints for IFTTT, under /ifttt/v1, and a few endpoints for demonstrations."""

import collections
import datetime
import hmac
import json
import pathlib

from lamps import LAMPS, ROOMS, SCENES
from server import Failure, Response, endpoint

DEFINITION = json.loads(pathlib.Path(__file__).with_name("definition.json").read_text(encoding="utf-8"))
FIELDS_KEYS = {"triggers": "triggerFields", "queries": "queryFields", "actions": "actionFields"}
DEFAULT_LIMIT = 50
NOTE_LENGTH = 40
WEBHOOKS = ["connection/enabled", "connection/updated", "connection/disabled", "trigger_subscription/fired"]
# The trigger without fields needs no sample. IFTTT's documentation does not mention samples of queries, but a test
# without the definition of the service has no other source of their values.
SAMPLES = {
    "triggers": {
        "lamp_switched_on": {"lamp": "garden-2"},
        "lamp_of_room_switched_on": {"room": "garden", "lamp": "garden-2"},
    },
    # The valid values of a trigger must be valid together. The hall has a lamp, but not in the garden.
    "triggerFieldValidations": {
        "lamp_switched_on": {"lamp": {"valid": "garden-2", "invalid": "no-such-lamp"}},
        "lamp_of_room_switched_on": {
            "room": {"valid": "garden", "invalid": "no-such-room"},
            "lamp": {"valid": "garden-2", "invalid": "hall-1"},
        },
    },
    "queries": {"list_lamps": {"room": "garden"}},
    "actions": {"set_scene": {"scene": "sc_04", "note": "Evening"}},
    "actionRecordSkipping": {"set_scene": {"scene": "sc_04", "note": ""}},
}


def data(value, **others):
    return Response(200, {"data": value, **others})


def row(event):
    """An event as IFTTT reads it. IFTTT recognizes a new event by `meta.id`. Its ingredients are texts."""
    moment = datetime.datetime.fromtimestamp(event.at, datetime.timezone.utc)
    return {"lamp": event.lamp, "switched_at": moment.isoformat(), "brightness": str(event.brightness),
            "meta": {"id": event.id, "timestamp": event.at}}


def lamp_options():
    """Lamps in a room form a group. Others are plain options."""
    plain = [{"label": lamp.name, "value": lamp.id} for lamp in LAMPS if not lamp.room]
    groups = [{"label": name, "values": [{"label": lamp.name, "value": lamp.id} for lamp in LAMPS if lamp.room == room]}
              for room, name in ROOMS.items()]
    return plain + groups


OPTIONS = {
    "lamp": lamp_options,
    "room": lambda: [{"label": name, "value": room} for room, name in ROOMS.items()],
    "scene": lambda: [{"label": name, "value": scene} for scene, name in SCENES.items()],
}


class Service:
    """The endpoints of the lamps. Without `sign_in`, all requests have the service key and there are no users."""

    def __init__(self, house, key, sign_in=None):
        self.house, self.key, self.sign_in = house, key, sign_in
        # The latest of each. They need no lock, because appending is atomic.
        self.webhooks, self.deleted_identities = collections.deque(maxlen=1000), collections.deque(maxlen=1000)

    # --- Access ---

    def has_key(self, request):
        """Whether the request is from IFTTT. Compares in constant time, so that the key cannot be guessed in parts."""
        key = request.headers.get("IFTTT-Service-Key") or request.headers.get("IFTTT-Channel-Key") or ""
        return hmac.compare_digest(key.encode(), self.key.encode())

    def is_user(self, request):
        return self.user(request) is not None if self.sign_in else self.has_key(request)

    def user(self, request):
        """The user to whom the access token of a request belongs, or None."""
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        return self.sign_in.user(token.strip()) if self.sign_in and scheme.lower() == "bearer" else None

    # --- The service and its users ---

    @endpoint("GET", "/ifttt/v1/status")
    def status(self, request):
        """Has no body, not even with an error, so it checks the key itself."""
        return Response(200 if self.has_key(request) else 401)

    @endpoint("POST", "/ifttt/v1/test/setup", access="has_key")
    def set_up_test(self, request):
        token = {"accessToken": self.sign_in.issue()["access_token"]} if self.sign_in else {}
        return data({**token, "samples": SAMPLES})

    @endpoint("GET", "/ifttt/v1/user/info", access="is_user")
    def user_info(self, request):
        if not self.sign_in:
            raise Failure(404, "This service has no users.")
        return data(self.user(request))

    # --- Triggers, queries and actions ---

    @endpoint("POST", "/ifttt/v1/triggers/{slug}", access="is_user")
    def trigger(self, request, slug):
        body = request.json()
        fields = self.fields("triggers", slug, body)
        if "room" in fields and (problem := problem_of_room(fields["room"]) or problem_of_lamp(**fields)):
            raise Failure(400, problem)
        return data([row(event) for event in self.newest(fields.get("lamp"), self.limit(body))])

    def newest(self, lamp, limit):
        """The newest events, whether or not IFTTT has seen them. With `limit` 0, IFTTT requests none."""
        return self.timeline(lamp)[:limit]

    def timeline(self, lamp):
        """The events of a lamp, or of all lamps if it is None. The newest is first."""
        if lamp is not None and (problem := problem_of_lamp(lamp)):
            raise Failure(400, problem)
        return [event for event in self.house.events() if lamp in (None, event.lamp)]

    @endpoint("DELETE", "/ifttt/v1/triggers/{slug}/trigger_identity/{identity}", access="is_user")
    def delete_identity(self, request, slug, identity):
        self.step("triggers", slug)
        self.deleted_identities.append({"trigger": slug, "trigger_identity": identity})
        return Response(200)

    @endpoint("POST", "/ifttt/v1/queries/{slug}", access="is_user")
    def query(self, request, slug):
        body = request.json()
        room = self.fields("queries", slug, body)["room"]
        if problem := problem_of_room(room):
            raise Failure(400, problem)
        rows = [{"lamp": lamp.id, "name": lamp.name, "on": "true" if lamp.id in self.house.lit else "false"}
                for lamp in LAMPS if lamp.room == room]
        page, cursor = self.page(rows, self.limit(body), body.get("cursor"))
        return data(page, **({"cursor": cursor} if cursor else {}))

    def page(self, rows, limit, cursor):
        """A page of rows, and the cursor of the next page: its first lamp. The last page has none."""
        lamps = [row["lamp"] for row in rows]
        if cursor is not None and cursor not in lamps:
            raise Failure(400, "The cursor is not valid.")
        start = lamps.index(cursor) if cursor is not None else 0
        end = start + limit
        return rows[start:end], lamps[end] if start < end < len(rows) else None

    @endpoint("POST", "/ifttt/v1/actions/{slug}", access="is_user")
    def action(self, request, slug):
        fields = self.fields("actions", slug, request.json())
        if fields["scene"] not in SCENES:
            raise Failure(400, "No scene has this name.")
        if not fields["note"]:
            raise self.skip("The wall panel shows no empty notes.")
        if len(fields["note"]) > NOTE_LENGTH:
            raise Failure(400, f"The wall panel shows at most {NOTE_LENGTH} characters.")
        user = self.user(request)
        run = self.house.set_scene(fields["scene"], fields["note"], user and user["id"])
        return data([{"id": run["id"], "url": f"https://lampost.test/runs/{run['id']}"}])

    def skip(self, reason):
        """The error that makes IFTTT skip this event at once. After other errors it runs the action again."""
        return Failure(400, reason, details={"status": "SKIP"})

    # --- Fields ---

    @endpoint("POST", "/ifttt/v1/{kind}/{slug}/fields/{field}/options", access="is_user")
    def options(self, request, kind, slug, field):
        self.field(kind, slug, field, "options")
        return data(OPTIONS[field]())

    @endpoint("POST", "/ifttt/v1/triggers/{slug}/fields/{field}/validate", access="is_user")
    def validate(self, request, slug, field):
        if self.is_contextual(slug):
            raise Failure(404, "The fields of this trigger are validated together.")
        self.field("triggers", slug, field, "validation")
        return data(self.validity(problem_of_lamp(request.json().get("value"))))

    @endpoint("POST", "/ifttt/v1/triggers/{slug}/validate", access="is_user")
    @endpoint("POST", "/ifttt/v1/triggers/{slug}/fields/validate", access="is_user")
    def validate_together(self, request, slug):
        """Contextual validation, for fields that depend on each other. IFTTT's sources disagree about its path."""
        if not self.is_contextual(slug):
            raise Failure(404, "The fields of this trigger are validated one by one.")
        values = request.json().get("values")
        values = values if isinstance(values, dict) else {}
        room, lamp = values.get("room"), values.get("lamp")
        wrong_room = problem_of_room(room)
        # If the room is wrong, that is no defect of the lamp.
        return data({"room": self.validity(wrong_room),
                     "lamp": self.validity(problem_of_lamp(lamp, None if wrong_room else room))})

    def validity(self, problem):
        """The result for a value. The status is 200 in both cases, because the request succeeded."""
        return {"valid": False, "message": problem} if problem else {"valid": True}

    # --- Webhooks ---

    @endpoint("POST", "/ifttt/v1/webhooks/{type}/{event}", access="has_key")
    def webhook(self, request, type, event):
        if f"{type}/{event}" not in WEBHOOKS:
            raise Failure(404, "There is no such webhook.")
        # The same request id twice means that IFTTT sent the webhook again.
        self.webhooks.append({"type": type, "event": event, "request_id": request.headers.get("X-Request-ID"),
                              "body": request.json()})
        return Response(200)

    # --- Demonstrations: these act as a person, or show the state. They need no credentials. ---

    @endpoint("POST", "/lamps/{lamp}/on")
    def press_switch(self, request, lamp):
        if not is_lamp(lamp):
            raise Failure(404, "No lamp has this name.")
        return data([row(self.house.switch_on(lamp))])

    @endpoint("GET", "/scenes")
    def show_scenes(self, request):
        return data(list(self.house.scenes))

    @endpoint("GET", "/webhooks")
    def show_webhooks(self, request):
        return data(list(self.webhooks))

    @endpoint("GET", "/deleted_identities")
    def show_deleted_identities(self, request):
        return data(list(self.deleted_identities))

    # --- Parts of requests ---

    def step(self, kind, slug):
        """The definition of a trigger, query or action."""
        for step in DEFINITION[kind] if kind in FIELDS_KEYS else ():
            if step["id"] == slug:
                return step
        raise Failure(404, f"{kind}/{slug} does not exist.")

    def is_contextual(self, slug):
        return self.step("triggers", slug).get("validation") == "contextual"

    def field(self, kind, slug, name, feature):
        if not any(field["id"] == name and field[feature] for field in self.step(kind, slug)["fields"]):
            raise Failure(404, f"{kind}/{slug} has no field '{name}' with {feature}.")

    def fields(self, kind, slug, body):
        """The values of the fields. IFTTT adds unknown keys to its tests, so other keys are ignored."""
        step, values = self.step(kind, slug), body.get(FIELDS_KEYS[kind])
        if not isinstance(values, dict):
            raise Failure(400, f"{FIELDS_KEYS[kind]} is missing.")
        for field in step["fields"]:
            # An empty text is a value.
            if field["required"] and not isinstance(values.get(field["id"]), str):
                raise Failure(400, f"The field '{field['id']}' is missing.")
        return {field["id"]: values.get(field["id"]) for field in step["fields"]}

    def limit(self, body):
        limit = body.get("limit")
        if limit is None:
            return DEFAULT_LIMIT
        if not isinstance(limit, int) or isinstance(limit, bool) or limit < 0:
            raise Failure(400, "The limit is not a whole number.")
        return limit


def is_lamp(value):
    return problem_of_lamp(value) is None


def problem_of_lamp(lamp, room=None):
    """Why it cannot be chosen: there is no such lamp, or it is not in the room, if there is one."""
    found = next((other for other in LAMPS if other.id == lamp), None)
    if not found:
        return "No lamp has this name."
    return None if room in (None, found.room) else f"{found.name} is not in this room."


def problem_of_room(room):
    return None if isinstance(room, str) and room in ROOMS else "No room has this name."
