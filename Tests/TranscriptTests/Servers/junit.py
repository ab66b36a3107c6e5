"""Checks a report in JUnit XML: junit.py FILE COMMAND. Prints one line per test case: its outcome and its name.

The rules are those of two readers:
* Jenkins validates with the schema junit-10.xsd of its xunit plugin: the elements, their order, and their attributes.
* GitLab reads testsuites/testsuite/testcase (lib/gitlab/ci/parsers/test/junit.rb). It identifies a case by its class and name, so
  of two equal ones it shows only the first, and shows the text of failure, error and skipped.
"""

import re
import sys
import xml.etree.ElementTree as xml

# Of each element: required attributes, optional attributes, children, and whether it may have text.
ELEMENTS = {
    "testsuites": (set(), {"name", "time", "tests", "failures", "errors"}, {"testsuite"}, False),
    "testsuite": (
        {"name", "tests", "failures", "errors"},
        {"group", "time", "skipped", "timestamp", "hostname", "id", "package", "file", "log", "url", "version"},
        {"testsuite", "properties", "testcase", "system-out", "system-err"}, False),
    "properties": (set(), set(), {"property"}, False),
    "property": ({"name", "value"}, set(), set(), False),
    "testcase": (
        {"name"}, {"time", "classname", "group"}, {"skipped", "error", "failure", "system-out", "system-err"}, False),
    "failure": (set(), {"type", "message"}, set(), True),
    "error": (set(), {"type", "message"}, set(), True),
    "skipped": (set(), {"type", "message"}, set(), True),
    "system-out": (set(), set(), set(), True),
    "system-err": (set(), set(), set(), True),
}
TIME = re.compile(r"(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]{0,3})?")


def check(element):
    required, optional, children, has_text = ELEMENTS[element.tag]
    names = set(element.attrib)
    assert required <= names <= required | optional, f"{element.tag}: {names}"
    if element.tag in ("testsuites", "testsuite"):
        assert TIME.fullmatch(element.get("time", "")), element.get("time")
    assert has_text or not (element.text or "").strip(), f"{element.tag} has text"
    for child in element:
        assert child.tag in children, f"{child.tag} in {element.tag}"
        assert not (child.tail or "").strip(), f"text after {child.tag}"
        check(child)


def main():
    root = xml.parse(sys.argv[1]).getroot()
    assert root.tag == "testsuites", root.tag
    check(root)
    found = set()
    for suite in root:
        cases = suite.findall("testcase")
        assert suite.get("name") == "ifttt " + sys.argv[2], suite.get("name")
        assert int(suite.get("tests")) == len(cases)
        for tag, name in [("failure", "failures"), ("error", "errors"), ("skipped", "skipped")]:
            assert int(suite.get(name)) == sum(case.find(tag) is not None for case in cases), name
        for case in cases:
            key = (case.get("classname"), case.get("name"))
            assert all(key) and key not in found, f"GitLab cannot tell {key} from another case"
            found.add(key)
            assert float(case.get("time")) >= 0
            assert len(case) <= 1, "GitLab reads one outcome"
            outcome = case[0] if len(case) else None
            assert outcome is None or (outcome.text or outcome.get("message")), "GitLab would show nothing"
            print("success" if outcome is None else outcome.tag, case.get("name"))


main()
