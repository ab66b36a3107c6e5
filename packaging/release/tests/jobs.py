"""Runs a job of a CI example, and prints what it did as JSON.

    jobs.py github FILE JOB SETTINGS
    jobs.py gitlab FILE JOB SETTINGS

SETTINGS is a JSON object: `folder` (an empty folder for the job), `checkout` (the files of the repository), `replace` (texts of
the file and what takes their place), and for GitHub `action` (the folder of the action), `archive` (the release that the
action installs) and `values` (of expressions). The environment is that of this program.
"""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys

import yaml

from runner import Runner, assignments, evaluate


def github(document, job, settings):
    """Runs the steps of a job, as GitHub's runner does. Containers of services are not started."""
    runner = Runner(settings["folder"], os.environ | {"CI": "true", "GITHUB_ACTION_PATH": settings.get("action", "")})
    values, status, ran = dict(settings.get("values", {})), "success", []
    assert set(job) <= {"runs-on", "services", "steps"}, job
    for step in job["steps"]:
        assert set(step) <= {"id", "name", "uses", "run", "if", "env"}, step
        condition = str(step.get("if", "success()"))
        # A condition without a function about the status implies success().
        if not any(name in condition for name in ["always()", "failure()", "success()"]):
            condition = f"success() && ({condition})"
        if not evaluate(condition, values, status):
            continue
        ran.append(step.get("name", step.get("uses")))
        if step.get("uses") == "actions/checkout@v4":
            shutil.copytree(settings["checkout"], runner.workspace, dirs_exist_ok=True)
            continue
        if "uses" in step:
            assert step["uses"] == "OWNER/ifttt@COMMIT", step
            code = 0 if runner.use(settings["action"], {"archive": settings["archive"]}) else 1
        else:
            code, outputs = runner.step(step, values)
            values |= {f"steps.{step.get('id')}.outputs.{name}": value for name, value in outputs.items()}
        if code != 0:
            status = "failure"
    runner.close()
    return {"status": status, "steps": ran, "log": runner.log, "summary": runner.summary}


def gitlab(document, job, settings):
    """Runs the scripts of a job, as GitLab's runner does. Containers of services are not started."""
    folder = pathlib.Path(settings["folder"])
    workspace = folder / "workspace"
    shutil.copytree(settings["checkout"], workspace)
    variables = {}
    for name in job.get("needs", []):
        report = document[name]["artifacts"]["reports"]["dotenv"]
        variables |= assignments((pathlib.Path(settings["needs"]) / report).read_text())
    variables |= job.get("variables", {})
    environment = os.environ | {"CI": "true", "GITLAB_CI": "true"} | variables
    log, groups = "", []

    def shell(lines):
        nonlocal log
        with (folder / "log").open("wb") as output:
            process = subprocess.Popen(
                ["bash", "--noprofile", "--norc", "-c", "\n".join(["set -eo pipefail", *lines])], cwd=workspace, env=environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT, start_new_session=True)
            groups.append(process.pid)
            status = process.wait()
        log += (folder / "log").read_text()
        return status

    code = shell(job.get("before_script", []) + job["script"])
    if "after_script" in job:
        shell(job["after_script"])
    for group in groups:
        try:
            os.killpg(group, signal.SIGTERM)
        except ProcessLookupError:
            pass
    for report in job.get("artifacts", {}).get("reports", {}).values():
        assert (workspace / report).is_file(), f"{report} was not written: {log}"
    return {"status": "success" if code == 0 else "failure", "log": log, "workspace": str(workspace)}


def main():
    kind, file, name, text = sys.argv[1:]
    settings = json.loads(text)
    pathlib.Path(settings["folder"]).mkdir(parents=True, exist_ok=True)
    source = pathlib.Path(file).read_text()
    for old, new in settings.get("replace", {}).items():
        assert old in source, f"{file} does not contain {old}"
        source = source.replace(old, new)
    document = yaml.safe_load(source)
    if kind == "github":
        outcome = github(document, document["jobs"][name], settings)
    else:
        outcome = gitlab(document, document[name], settings)
    print(json.dumps(outcome))


if __name__ == "__main__":
    main()
