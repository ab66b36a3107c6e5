"""The list of components, the checksums, and what both say about the packages."""
import glob
import hashlib
import json
import os
import re
import shutil
import tarfile

from harness import ARCHIVE, BUILD, ENVIRONMENT, PACKAGES, ROOT, STAGE, PackageTestCase, package, require


class ComponentTests(PackageTestCase):
    def setUp(self):
        self.path = package("ifttt-*.spdx.json")
        with open(self.path) as file:
            self.document = json.load(file)
        self.packages = {entry["name"]: entry for entry in self.document["packages"]}

    def test_is_valid_spdx(self):
        validator = os.path.join(BUILD, "spdx/bin/pyspdxtools")
        require(validator)
        self.run_command(validator, "--infile", self.path, "--version", "SPDX-2.3")

    def test_names_the_programs_of_the_archive(self):
        with tarfile.open(package(ARCHIVE)) as archive:
            contents = {entry.name.split("/", 1)[-1]: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
        for file in self.document["files"]:
            [digest] = [entry["checksumValue"] for entry in file["checksums"] if entry["algorithm"] == "SHA256"]
            self.assertEqual(digest, hashlib.sha256(contents[file["fileName"].removeprefix("./")]).hexdigest())
        self.assertEqual(len(self.document["files"]), 2)

    def test_lists_what_is_linked(self):
        linked = {(entry["spdxElementId"], entry["relatedSpdxElement"]) for entry in self.document["relationships"]
                  if entry["relationshipType"].endswith("_LINK")}
        program, plugin = "SPDXRef-Package-ifttt", "SPDXRef-Package-ifttt-grab"
        for name in ["swift", "sqlite3", "expat", "libcurl", "openssl"]:
            self.assertIn((program, self.packages[name]["SPDXID"]), linked)
        self.assertIn((plugin, self.packages["expat"]["SPDXID"]), linked)
        # The plugin has no database.
        self.assertNotIn((plugin, self.packages["sqlite3"]["SPDXID"]), linked)
        # On Linux, only the tests link a Swift package.
        if os.uname().sysname == "Linux":
            self.assertNotIn("swift-crypto", self.packages)
        for name, entry in self.packages.items():
            self.assertTrue("versionInfo" in entry or "shared library of the system" in entry["comment"], name)

    def test_agrees_with_the_program(self):
        facts = json.loads(self.run_command(os.path.join(STAGE, "bin/ifttt"), "version", "--json", env=ENVIRONMENT))
        self.assertEqual(self.packages["ifttt"]["versionInfo"], facts["version"])
        self.assertIn(facts["sqlite"], self.packages["sqlite3"]["versionInfo"])
        self.assertTrue(self.packages["swift"]["versionInfo"].startswith(facts["swift"]))

    def test_every_linked_component_is_in_the_copyright_file(self):
        with open(os.path.join(ROOT, "packaging/debian/copyright")) as file:
            named = set(re.findall(r"(\S+?)/\*", file.read()))
        shared = {name for name, entry in self.packages.items() if "shared library of the system" in entry.get("comment", "")}
        self.assertEqual(set(self.packages) - shared - named - {"ifttt", "ifttt-grab"}, set())

    def generate(self, change, status):
        """Runs the generator on a changed Package.resolved."""
        root = self.folder()
        shutil.copytree(os.path.join(ROOT, "packaging"), os.path.join(root, "packaging"))
        with open(os.path.join(ROOT, "Package.resolved")) as file:
            resolved = json.load(file)
        change(resolved)
        with open(os.path.join(root, "Package.resolved"), "w") as file:
            json.dump(resolved, file)
        output = os.path.join(root, "list.json")
        return self.run_command(
            os.path.join(root, "packaging/sbom/generate"), STAGE, "1.2.3", output, status=status,
            env=ENVIRONMENT | {"SOURCE_DATE_EPOCH": "0"})

    def test_an_unknown_swift_package_is_an_error(self):
        def change(resolved):
            resolved["pins"].append({"identity": "swift-new", "location": "https://localhost/swift-new", "state": {}})
        self.assertIn("names swift-new", self.generate(change, 1))
        self.generate(lambda resolved: None, 0)

    def test_checksums_cover_all_files(self):
        with open(os.path.join(PACKAGES, "SHA256SUMS")) as file:
            lines = file.read().splitlines()
        names = [line.split("  ", 1)[1] for line in lines]
        self.assertEqual(names, sorted(set(os.listdir(PACKAGES)) - {"SHA256SUMS"}))
        for line in lines:
            digest, name = line.split("  ", 1)
            with open(os.path.join(PACKAGES, name), "rb") as file:
                self.assertEqual(hashlib.sha256(file.read()).hexdigest(), digest)
