"""Checks an OpenAPI document with two validators, and prints each problem on a line: validate.py FILE"""

import json
import sys

from openapi_pydantic.v3.v3_1 import OpenAPI
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel


def unknown_members(value, path=""):
    """The members that the standard does not have, without extensions."""
    if isinstance(value, BaseModel):
        for name in value.model_extra or {}:
            if not name.startswith("x-"):
                yield f"{path}/{name} is not a member of the standard"
        members = {name: getattr(value, name) for name in value.model_fields_set}
    elif isinstance(value, dict):
        members = value
    else:
        members = dict(enumerate(value)) if isinstance(value, list) else {}
    for name, member in members.items():
        yield from unknown_members(member, f"{path}/{name}")


document = json.load(open(sys.argv[1], encoding="utf-8"))
for error in OpenAPIV31SpecValidator(document).iter_errors():
    print(error.json_path, error.message)
for problem in unknown_members(OpenAPI.model_validate(document)):
    print(problem)
