"""Runs the tests of the packages: python3 packaging/tests [NAME...], where NAME is part of a test's name."""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

loader = unittest.TestLoader()
if sys.argv[1:]:
    loader.testNamePatterns = [f"*{name}*" for name in sys.argv[1:]]
result = unittest.TextTestRunner(verbosity=2).run(loader.discover(HERE))
# Several parts of one test may fail.
failed = len({getattr(test, "test_case", test).id() for test, _ in result.failures + result.errors})
for test, reason in result.skipped:
    print(f"skipped: {reason} ({test})", file=sys.stderr)
skipped = len(result.skipped)
if os.environ.get("CI"):
    # In CI, nothing may be skipped.
    failed, skipped = failed + skipped, 0
print(f"{result.testsRun - failed - skipped} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed or not result.testsRun else 0)
