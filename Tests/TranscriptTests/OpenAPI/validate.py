"""Checks OpenAPI documents with two validators: validate.py FILE...

Prints each problem on a line that begins with the file's name, and one line for a file without problems.
"""

import json
import pathlib
import sys

from openapi_pydantic.v3.v3_1 import OpenAPI
from openapi_spec_validator import OpenAPIV31SpecValidator
from pydantic import BaseModel, ValidationError


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


def problems(document):
    for error in OpenAPIV31SpecValidator(document).iter_errors():
        yield f"{error.json_path} {error.message}"
    try:
        yield from unknown_members(OpenAPI.model_validate(document))
    except ValidationError as error:
        yield str(error)


for file in map(pathlib.Path, sys.argv[1:]):
    for problem in list(problems(json.loads(file.read_text(encoding="utf-8")))) or ["no problems"]:
        print(f"{file.name}: {' '.join(problem.split())}")
