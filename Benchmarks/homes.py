"""Data folders with tracked connections, filled when they are first needed."""

import os
import subprocess

ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def identifier(number):
    """An id of eight letters and digits that looks random and is the same in every run."""
    value = (number * 0x9E3779B97F4A7C15 + 0x1234567) % 62**8
    letters = ""
    for _ in range(8):
        value, digit = divmod(value, 62)
        letters += ALPHABET[digit]
    return letters


def settings(home, **more):
    """The caller's environment without the variables that would affect the measurements."""
    kept = {name: value for name, value in os.environ.items()
            if not name.startswith("IFTTT_") and name not in ("SSL_CERT_DIR", "CURL_CA_BUNDLE", "CI")
            and not name.lower().endswith("_proxy")}
    return {**kept, "IFTTT_HOME": home, **more}


def fill(program, home, count, port, **more):
    """Tracks `count` connections as a user would.

    `more` are environment variables, such as credentials."""
    environment = settings(home, **{"IFTTT_CONNECT_URL": f"http://127.0.0.1:{port}", **more})
    words = "\n".join(identifier(number) for number in range(count))
    subprocess.run(["xargs", "-n", "5000", program, "connections", "add", "--quiet"],
                   env=environment, input=words.encode(), check=True, stdout=subprocess.DEVNULL)


class Homes(dict):
    """The data folder with a given number of tracked connections."""

    def __init__(self, program, folder, server):
        super().__init__()
        self.program, self.folder, self.server = program, folder, server

    def __missing__(self, count):
        home = self[count] = os.path.join(self.folder, str(count))
        fill(self.program, home, count, self.server.plain)
        return home
