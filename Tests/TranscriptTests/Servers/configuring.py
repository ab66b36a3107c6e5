"""The endpoints that configure a connection and use its steps. They validate every member of a body.

A connection named `conf-…` has one feature with fields of several types. Its configuration is the one that was last PUT;
the configuration of a connection named `conf-skipped-…` is initially empty.
"""
import json

import faults

SCENES = [{"label": "Evening", "value": "sc_1", "group": None}, {"label": "Night; =+", "value": "sc_4;=+", "group": None}]
CALENDARS = [{"label": "Garden", "value": "cal_a", "group": None}, {"label": "Boat", "value": "cal_b", "group": "Shared"}]
OPTIONS = {"scene": SCENES, "calendar": CALENDARS}
TYPES = {"name": "TEXT_FIELD", "scene": "COLLECTION_SELECT", "area": "LOCATION_EXIT", "calendar": "COLLECTION_SELECT"}
STEPS = {"trigger": "t1", "query": "q1", "action": "a1"}
PLURAL = {"trigger": "triggers", "query": "queries", "action": "actions"}
CALLS = {"run": "actions", "perform": "queries", "test": "triggers"}


def field(identifier, required=True):
    return {"id": identifier, "label": identifier.title(), "type": TYPES[identifier], "required": required,
            "hidden": False, "default_value": None}


def step(kind, slug, service, fields):
    return {"id": STEPS[kind], kind + "_id": slug, "service_id": service, "label": slug, "run_url": None,
            "fields": fields}


def features(base, identifier):
    link = "%s/v2/connections/%s/features/mw4tq9hzjc" % (base, identifier)
    action = step("action", "add_entry", "tidebook", [field("calendar", False)])
    # The newer form of the URL. The other steps have none.
    action["field_options_url"] = link + "/actions/tidebook.add_entry/field_options"
    return [{
        "id": "mw4tq9hzjc", "title": "Leave and the lamps go dark", "description": None, "icon_url": "https://ifttt.com/x",
        "field_options_url": link + "/field_options", "fields": [field("name", False), field("scene")],
        "feature_triggers": [step("trigger", "exit_region_location", "location", [field("area")])],
        "feature_queries": [step("query", "list_tides", "tidebook", [])], "feature_actions": [action],
    }]


def first_configuration(identifier):
    if identifier.startswith("conf-skipped-"):
        return []
    place = {"lat": 38.7369, "lng": -9.1427, "radius": 220.5, "address": "Rua Invented 9", "description": "Home", "zoom": 15}
    return stored([{
        "feature_id": "mw4tq9hzjc", "enabled": True,
        "user_fields": [{"field_id": "name", "value": "Ünï \u0007 \"x\""}, {"field_id": "scene", "value": "sc_4;=+"}],
        "user_feature_triggers": [{"feature_trigger_id": "t1", "user_fields": [{"field_id": "area", "value": place}]}],
        "user_feature_queries": [{"feature_query_id": "q1", "user_fields": []}],
        "user_feature_actions": [{"feature_action_id": "a1", "user_fields": [{"field_id": "calendar", "value": "cal_b"}]}],
    }])


def stored(user_features):
    """Convert user features from the request format to the response format, with ids, types and labels."""
    def fields(some):
        found = []
        for one in some:
            value = one["value"]
            if one["field_id"] in OPTIONS:
                value = next(dict(o) for o in OPTIONS[one["field_id"]] if o["value"] == value)
            found.append({"field_id": one["field_id"], "field_type": TYPES[one["field_id"]], "value": value})
        return found

    result = []
    for number, feature in enumerate(user_features):
        new = dict(feature, id=feature.get("id", "8f0b6c1e-2d57-4a93-b8e4-71c0d9a5f32%d" % number))
        new["user_fields"] = fields(feature["user_fields"])
        for kind, plural in PLURAL.items():
            key = "user_feature_" + plural
            new[key] = [dict(one, id="%s-%d" % (kind, number), user_fields=fields(one["user_fields"])) for one in feature[key]]
        result.append(new)
    return result


def check_members(request, value, where, required, optional=()):
    if not isinstance(value, dict):
        request.complain("%s is no object" % where)
        return False
    for key in value:
        if key not in required and key not in optional:
            request.complain("%s.%s" % (where, key))
    for key in required:
        if key not in value:
            request.complain("%s lacks %s" % (where, key))
    return not request.wrong


def check_fields(request, value, where):
    for number, one in enumerate(value if isinstance(value, list) else [None]):
        check_members(request, one, "%s[%d]" % (where, number), ("field_id", "value"))


def check_configuration(request, body):
    if not check_members(request, body, "body", ("user_features",)):
        return
    keys = ["user_feature_" + plural for plural in PLURAL.values()]
    for number, feature in enumerate(body["user_features"]):
        where = "user_features[%d]" % number
        if not check_members(request, feature, where, ["feature_id", "enabled", "user_fields"] + keys, ("id",)):
            return
        if feature["enabled"] not in (True, False):
            request.complain(where + ".enabled")
        check_fields(request, feature["user_fields"], where)
        for kind, key in zip(PLURAL, keys):
            for one in feature[key]:
                if check_members(request, one, "%s.%s" % (where, key), ("feature_%s_id" % kind, "user_fields")):
                    check_fields(request, one["user_fields"], "%s.%s" % (where, key))


def parsed(request):
    try:
        return json.loads(request.body)
    except ValueError:
        request.complain("body %r" % request.body[:40])
        return {}


def route(call, level):
    """Return the function that handles a request to one of these endpoints, or None for any other request."""
    request, user = call.request, (("user_id",) if level == "service" else ())
    needs_user = lambda: level == "service" and "user_id" not in request.query and request.complain("no user_id")
    match (request.method, *request.path):
        case ("GET", "v2", "connections", identifier, *place, "field_options") if len(place) in (2, 4):
            request.check_query(*user)
            needs_user()
            if level == "none":
                request.complain("level none")
            return lambda count: options(call, place)
        case ("PUT", "v2", "connections", identifier, "user_connection"):
            request.check_query(*user)
            needs_user()
            body = parsed(request)
            check_configuration(request, body)
            return lambda count: put(call, identifier, body)
        case ("POST", "v2", "connections", identifier, "user_connection", "refresh"):
            request.check_query(*user)
            needs_user()
            return lambda count: call.no_content()
        case ("POST", "v2", "connections", identifier, plural, name, "run" | "perform" | "test" as verb):
            request.check_query()
            if CALLS[verb] != plural:
                request.complain("%s of %s" % (verb, plural))
            body = parsed(request)
            paging = ("includes", "limit", "cursor") if verb == "perform" else ()
            fields = ("fields",) if verb != "test" else ()
            check_members(
                request, body, "body", ("user_id",) if level == "service" else (), ("user_feature_id",) + fields + paging)
            if not isinstance(body.get("user_id", ""), str):
                request.complain("user_id is no string")
            return lambda count: use(call, identifier, verb, body)
    return None


def options(call, place):
    if place[-1] == "mw4tq9hzjc":
        return call.send({"type": "field_options", "options": {"scene": SCENES}})
    if place[-1] == "tidebook.add_entry":
        return call.send({"type": "field_options", "options": {"calendar": CALENDARS}})
    call.stream.sendall(faults.error("404 Not Found", "not_found", "Unknown step"))
    return True


def put(call, identifier, body):
    for feature in body["user_features"]:
        given = [one for key in feature if key.startswith("user_feature_") for step in feature[key] for one in step["user_fields"]]
        for one in feature["user_fields"] + given:
            allowed = [option["value"] for option in OPTIONS.get(one["field_id"], [])]
            if allowed and one["value"] not in allowed:
                detail = {"parameter": "/fields/" + one["field_id"], "message": "Not a valid option for this field. Use the "
                          "field options request to get valid options."}
                call.stream.sendall(faults.message({
                    "type": "error", "code": "invalid_parameters", "message": "The parameters of your request were invalid",
                    "details": [detail]}, "422 Unprocessable Entity"))
                return True
    call.server.configured[identifier] = stored(body["user_features"])
    return call.no_content()


def use(call, identifier, verb, body):
    if identifier.startswith("fault-"):
        return faults.respond(call.stream, identifier, 1, call.server)
    if verb != "perform":
        return call.no_content()
    page = int(body.get("cursor", "page-0")[5:])
    rows = [{"id": "row-%d" % (page * 2 + n), "metres": 2.50, "notes": {"type": "query", "fields": {"a": "b"}}} for n in (0, 1)]
    answer = {"type": "list", "data": rows}
    if page < 2:
        answer["next"] = {"fields": body.get("fields", {}), "cursor": "page-%d" % (page + 1)}
    return call.send(answer)
