"""An action that runs from a copy of the checkout, with an archive of the real program or of a small stand-in."""

import hashlib
import io
import os
import pathlib
import shutil
import tarfile
import tempfile

from runner import Runner
from support import ROOT, STAGE, VERSION, ScratchCase, needs


class ActionCase(ScratchCase):
    @classmethod
    def setUpClass(cls):
        machine = os.uname()
        cls.platform = f"{machine.sysname.lower()}-{machine.machine}"
        cls.name = f"ifttt-{VERSION}-{cls.platform}"
        cls.made = tempfile.TemporaryDirectory(prefix="ifttt-archive-")
        cls.addClassCleanup(cls.made.cleanup)
        cls.archive = pathlib.Path(cls.made.name) / f"{cls.name}.tar.gz"
        with tarfile.open(cls.archive, "w:gz") as archive:
            program = f"#!/bin/sh\necho ifttt {VERSION}\n".encode()
            entry = tarfile.TarInfo(f"{cls.name}/bin/ifttt")
            entry.mode, entry.size = 0o755, len(program)
            archive.addfile(entry, io.BytesIO(program))

    def use_real_program(self):
        """Replaces the stand-in by an archive of what script/build staged."""
        needs((STAGE / "bin/ifttt").exists(), ".build/stage (script/build)")
        self.archive = self.folder / self.archive.name
        with tarfile.open(self.archive, "w:gz", compresslevel=1) as archive:
            archive.add(STAGE, self.name)

    def setUp(self):
        super().setUp()
        # As the runner has it: the whole repository of the action.
        self.action = self.folder / "action"
        for path in ["action.yml", "script/version", "packaging", "Sources/Session/ProgramVersion.swift"]:
            source, target = ROOT / path, self.action / path
            target.parent.mkdir(parents=True, exist_ok=True)
            if source.is_dir():
                shutil.copytree(source, target, ignore=shutil.ignore_patterns("tests", "__pycache__"))
            else:
                shutil.copy(source, target)
        (self.action / "packaging/repository").write_text("octo/ifttt\n")
        self.runner = Runner(self.folder, self.environment | {
            "GITHUB_ACTION_PATH": str(self.action), "GITHUB_SERVER_URL": "http://127.0.0.1:1"})

    def use(self, **inputs):
        """Runs the action as `uses:` does. Returns its outputs; None if a step failed."""
        return self.runner.use(self.action, {name.replace("_", "-"): value for name, value in inputs.items()})

    def local_archive(self, name=None, sums=True):
        """A copy of the archive in the workspace."""
        target = self.runner.workspace / (name or self.archive.name)
        shutil.copy(self.archive, target)
        if sums:
            digest = hashlib.sha256(target.read_bytes()).hexdigest()
            (target.parent / "SHA256SUMS").write_text(f"{digest}  {target.name}\n")
        return target

    def assert_rejected(self, says, **inputs):
        """Uses the action with inputs that must fail, without any effect on the job."""
        self.assertIsNone(self.use(**inputs), self.runner.log)
        self.assertIn(says, self.runner.log)
        self.assert_no_effects()

    def assert_no_effects(self):
        self.assertEqual(self.runner.paths, [])
        self.assertLessEqual({name for name, _ in self.runner.commands}, {"error", "add-mask"}, self.runner.log)
        self.assertEqual([name for name, _ in self.runner.commands].count("error"), 1, self.runner.log)
        self.assertFalse((self.folder / "injected").exists(), "an input was executed")
        self.assertFalse((self.runner.workspace / "injected").exists(), "an input was executed")
