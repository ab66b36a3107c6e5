"""Runs the tests of script/bootstrap: python3 Tests/Bootstrap [NAME...]

The runs use a server on this machine with a stand-in for swiftly, a home folder and a PATH of their own. NAME selects
tests, as in `test_download.DownloadTests.test_redirect`.
"""
import os
import sys
import unittest

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

loader = unittest.TestLoader()
suite = loader.loadTestsFromNames(sys.argv[1:]) if sys.argv[1:] else loader.discover(HERE)
result = unittest.TextTestRunner().run(suite)
for test, reason in result.skipped:
    print(f"skipped: {reason} ({test})")
# In CI, nothing may be skipped.
sys.exit(not result.wasSuccessful() or not result.testsRun or bool(result.skipped and os.environ.get("CI")))
