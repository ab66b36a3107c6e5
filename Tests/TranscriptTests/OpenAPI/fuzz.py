"""Runs Schemathesis against a server: fuzz.py FILE URL SEED [HEADER...]

It is stricter than the document: a status that only `default` describes is a failure. With a header, the parameters of
paths always have the values of their examples, so that requests do not end at an unknown id. No run repeats the requests
of another, even if they share HYPOTHESIS_STORAGE_DIRECTORY.
"""

import json
import pathlib
import subprocess
import sys

CHECKS = [
    "not_a_server_error", "status_code_conformance", "content_type_conformance", "response_headers_conformance",
    "response_schema_conformance", "unsupported_method", "allow_header_conformance",
]

file, url, seed, *headers = sys.argv[1:]
document = json.loads(pathlib.Path(file).read_text(encoding="utf-8"))
for path in document["paths"].values():
    for operation in path.values():
        if "responses" in operation:
            del operation["responses"]["default"]
strict = pathlib.Path("strict.json")
strict.write_text(json.dumps(document), encoding="utf-8")

settings = ["[parameters]"]
for name, parameter in document["components"].get("parameters", {}).items():
    if headers and parameter["in"] == "path" and "example" in parameter:
        settings.append(f'"path.{name}" = {json.dumps(parameter["example"])}')
pathlib.Path("fuzz.toml").write_text("\n".join(settings) + "\n", encoding="utf-8")

program = pathlib.Path(sys.executable).with_name("schemathesis")
sys.exit(subprocess.run([
    program, "--config-file", "fuzz.toml", "run", strict, "--url", url, "--seed", seed, "--max-examples", "10",
    "--checks", ",".join(CHECKS), "--suppress-health-check", "all", "--continue-on-failure", "--warnings", "off",
    "--generation-database", "none",
    *(word for header in headers for word in ("--header", header)),
]).returncode)
