"""The workflows: their structure, their scripts, and the steps that can run on this machine."""

import json
import os
import re
import shutil

from runner import Runner, load
from support import PLATFORMS, ROOT, CheckoutCase, ScratchCase, needs

WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def steps(document):
    for job in document["jobs"].values():
        yield from job.get("steps", [])


class Structure(ScratchCase):
    def test_files(self):
        self.assertEqual([path.name for path in WORKFLOWS], ["ci.yml", "release.yml"])

    def test_permissions_and_concurrency(self):
        for path in WORKFLOWS:
            document = load(path)
            self.assertEqual(document["permissions"], {"contents": "read"}, path)
            self.assertIn("group", document["concurrency"])
            for name, job in document["jobs"].items():
                wanted = {"contents": "write"} if name == "publish" else None
                self.assertEqual(job.get("permissions"), wanted, name)
                if "steps" in job:
                    self.assertIn("timeout-minutes", job, name)

    def test_pull_requests_get_no_secrets(self):
        document = load(ROOT / ".github/workflows/ci.yml")
        self.assertNotIn("secrets", (ROOT / ".github/workflows/ci.yml").read_text())
        self.assertNotIn("pull_request_target", document["on"])
        for path in WORKFLOWS:
            for name, job in load(path)["jobs"].items():
                if "secrets." in json.dumps(job):
                    # Only tags can use this environment (docs/releasing.md).
                    self.assertEqual(job.get("environment"), "release", name)
                self.assertNotEqual(job.get("secrets"), "inherit", name)
        self.assertEqual(load(ROOT / ".github/workflows/release.yml")["on"], {"push": {"tags": ["v*"]}})

    def test_secrets_reach_only_the_steps_that_sign(self):
        found = [step["name"] for path in WORKFLOWS for step in steps(load(path)) if "secrets." in json.dumps(step)]
        self.assertEqual(found, ["Package", "Sign"])
        for path in WORKFLOWS:
            document = load(path)
            self.assertNotIn("secrets.", json.dumps([document.get("env"), [job.get("env") for job in document["jobs"].values()]]))

    def test_actions_are_pinned(self):
        for path in WORKFLOWS:
            text = path.read_text()
            for line in re.findall(r"uses: (.*)", text):
                self.assertRegex(line, r"^(\./.*|[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$")
            for step in steps(load(path)):
                if step.get("uses", "").startswith("actions/checkout@"):
                    # The token of the job is not left where the project's scripts can read it.
                    self.assertIs(step["with"]["persist-credentials"], False, step)

    def test_scripts(self):
        """Each `run` is a valid script without expressions, and the files that it names exist."""
        for path in [*WORKFLOWS, ROOT / "action.yml"]:
            document = load(path)
            for step in steps(document) if "jobs" in document else document["runs"]["steps"]:
                if "run" not in step:
                    continue
                with self.subTest(path=path.name, step=step["name"]):
                    self.assertNotIn("${{", step["run"])
                    script = self.write("step.sh", "#!/bin/bash\n" + step["run"])
                    self.run_program("bash", "-n", script)
                    needs(shutil.which("shellcheck"), "shellcheck")
                    self.run_program("shellcheck", script)
                    for name in re.findall(r"(?<![\w/])((?:script|packaging|\.ci)/[\w./-]+)", step["run"]):
                        self.assertTrue(os.access(ROOT / name, os.X_OK), f"{name} is not a program")

    def test_expressions(self):
        """Contexts that others control occur nowhere, and `needs` names jobs."""
        for path in WORKFLOWS:
            for found in re.findall(r"\$\{\{ *(.*?) *\}\}", path.read_text()):
                self.assertRegex(
                    found, r"^(github\.(workflow|ref|token|event_name( == 'pull_request')?)|matrix\.\w+|secrets\.IFTTT_RELEASE_KEY"
                    r"|steps\.package\.outputs\.archive)$")
            jobs = load(path)["jobs"]
            for job in jobs.values():
                self.assertIn(job.get("needs", next(iter(jobs))), jobs)

    def test_only_the_next_compiler_may_fail(self):
        jobs = {name: job for path in WORKFLOWS for name, job in load(path)["jobs"].items()}
        self.assertEqual([name for name, job in jobs.items() if job.get("continue-on-error")], ["next-swift"])
        self.assertFalse([step for path in WORKFLOWS for step in steps(load(path)) if "continue-on-error" in step])
        job = jobs["next-swift"]
        self.assertEqual(job["container"], "swiftlang/swift:nightly-main")
        self.assertEqual(
            [step["run"] for step in job["steps"] if "run" in step],
            ["script/bootstrap build", "env -u CI swift build --build-tests"])

    def test_platforms(self):
        jobs = load(ROOT / ".github/workflows/release.yml")["jobs"]
        platforms = [entry["platform"] for entry in jobs["build"]["strategy"]["matrix"]["include"]]
        # The action, the formula and install.sh follow this list.
        self.assertEqual(platforms, list(PLATFORMS))
        self.assertEqual(platforms, ["linux-x86_64", "linux-aarch64", "macos-arm64"])
        collect = next(step["run"] for step in jobs["publish"]["steps"] if step.get("name") == "Collect the packages")
        self.assertEqual(re.findall(r"built/(\S+)", collect), platforms)


class Steps(CheckoutCase):
    """The shell steps of release.yml, in a checkout whose commit is a release."""

    def setUp(self):
        super().setUp()
        self.release("0.2.0")
        self.runner = Runner(self.folder, self.environment | {"GITHUB_REF_NAME": "v0.2.0"})
        shutil.rmtree(self.runner.workspace)
        self.git("clone", "--quiet", self.checkout, self.runner.workspace)
        self.all = {step["name"]: step for step in steps(load(ROOT / ".github/workflows/release.yml")) if "run" in step}

    def step(self, name, **values):
        return self.runner.step(self.all[name], values)[0]

    def build(self, platform, sbom):
        folder = self.runner.workspace / "built" / platform
        folder.mkdir(parents=True)
        (folder / f"ifttt-0.2.0-{platform}.tar.gz").write_text(platform)
        (folder / f"ifttt-0.2.0-{platform}-symbols.tar.gz").write_text(f"symbols of {platform}")
        (folder / "ifttt-0.2.0.spdx.json").write_text(sbom)
        self.run_program(ROOT / "packaging/release/sums", folder)
        return folder

    def build_all(self):
        for platform in ["linux-x86_64", "linux-aarch64", "macos-arm64"]:
            self.build(platform, sbom="macOS" if platform.startswith("macos") else "Linux")

    def test_tag(self):
        self.assertEqual(self.step("Check that the tag is the version"), 0, self.runner.log)
        for tag in ["v0.2.1", "0.2.0", "v0.2.0-rc.1", "v0.2.0;touch injected", "v$(touch injected)"]:
            self.runner.variables["GITHUB_REF_NAME"] = tag
            self.assertEqual(self.step("Check that the tag is the version"), 1, tag)
        self.assertFalse((self.runner.workspace / "injected").exists())

    def test_trusted_checkout(self):
        self.assertEqual(self.step("Trust the checkout"), 0)
        self.assertEqual(
            self.run_program("git", "config", "--global", "--get-all", "safe.directory"), f"{self.runner.workspace}\n")

    def test_publication(self):
        self.build_all()
        key = self.folder / "key"
        self.run_program("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", key)
        # The signers are part of the tagged commit.
        (self.runner.workspace / "packaging/release/signers").write_text(
            'release@ifttt namespaces="ifttt-release" ' + key.with_suffix(".pub").read_text())
        # gh, which records what it would do.
        self.write("bin/gh", f"""\
            #!/usr/bin/env bash
            echo "$GH_TOKEN" >>{self.folder}/tokens
            printf '%s\\n' "$@" . >>{self.folder}/calls
            """, 0o755)
        self.runner.variables["PATH"] = f"{self.folder}/bin:{self.runner.variables['PATH']}"
        for name, values in {
            "Collect the packages": {}, "Sign": {"secrets.IFTTT_RELEASE_KEY": key.read_text()},
            "Verify the signature as users do": {}, "Publish": {"github.token": "ghs_token"},
        }.items():
            self.assertEqual(self.step(name, **values), 0, self.runner.log)
        dist = self.runner.workspace / "dist"
        platforms = ["linux-aarch64", "linux-x86_64", "macos-arm64"]
        names = sorted([f"ifttt-0.2.0-{platform}{end}.tar.gz" for platform in platforms for end in ("", "-symbols")] + [
            "ifttt-0.2.0-macos-arm64.spdx.json", "ifttt-0.2.0-source.tar.gz", "ifttt-0.2.0.spdx.json", "ifttt.rb"])
        self.assertEqual(sorted(os.listdir(dist)), ["SHA256SUMS", "SHA256SUMS.sig"] + names)
        self.run_program("sha256sum", "--check", "--strict", "SHA256SUMS", folder=dist)
        self.assertEqual([line[66:] for line in (dist / "SHA256SUMS").read_text().splitlines()], names)
        # The archive is the one of the maintainer's checkout.
        name = "ifttt-0.2.0-source.tar.gz"
        self.assertEqual((dist / name).read_bytes(), (self.checkout / "dist" / name).read_bytes())
        # The formula installs the archives.
        formula = (dist / "ifttt.rb").read_text()
        for platform in platforms:
            url = f"https://github.com/octo/ifttt/releases/download/v0.2.0/ifttt-0.2.0-{platform}.tar.gz"
            sum_ = self.run_program("sha256sum", dist / f"ifttt-0.2.0-{platform}.tar.gz")[:64]
            self.assertRegex(formula, rf'\n +url "{re.escape(url)}"\n +sha256 "{sum_}"\n')
        self.assertNotIn("OWNER", formula)
        create, edit = (self.folder / "calls").read_text().split("\n.\n")[:2]
        self.assertEqual(create.splitlines()[:6], ["release", "create", "v0.2.0", "--repo", "octo/ifttt", "--draft"])
        self.assertIn("* `list` is faster.", create)
        self.assertEqual(create.splitlines()[-len(names) - 2:], [f"dist/{name}" for name in ["SHA256SUMS", "SHA256SUMS.sig"] + names])
        self.assertEqual(edit.split("\n"), ["release", "edit", "v0.2.0", "--repo", "octo/ifttt", "--draft=false"])
        self.assertEqual((self.folder / "tokens").read_text(), "ghs_token\n" * 2)
        self.assertNotIn("PRIVATE KEY", self.runner.log)

    def test_signature_that_is_not_valid_stops_the_release(self):
        self.build_all()
        self.assertEqual(self.step("Collect the packages"), 0, self.runner.log)
        self.assertNotEqual(self.step("Sign", **{"secrets.IFTTT_RELEASE_KEY": ""}), 0)
        self.assertNotEqual(self.step("Verify the signature as users do"), 0)
        self.assertNotEqual(self.step("Publish", **{"github.token": "ghs_token"}), 0)

    def test_damaged_and_foreign_packages(self):
        self.build_all()
        package = self.runner.workspace / "built/macos-arm64/ifttt-0.2.0-macos-arm64.tar.gz"
        package.write_text("damaged")
        self.assertNotEqual(self.step("Collect the packages"), 0)
        self.run_program(ROOT / "packaging/release/sums", package.parent)
        self.assertEqual(self.step("Collect the packages"), 0, self.runner.log)
        (package.parent / "extra").write_text("not listed")
        self.assertNotEqual(self.step("Collect the packages"), 0)
        (package.parent / "extra").unlink()
        (package.parent / "ifttt-0.2.0-linux-x86_64.tar.gz").write_text("of another machine")
        self.run_program(ROOT / "packaging/release/sums", package.parent)
        self.assertNotEqual(self.step("Collect the packages"), 0)
        self.assertIn("another machine has built a different", self.runner.log)
