"""Reads HTTP/1.1 requests byte by byte and reports their violations.

Written from `docs/api` alone: what a client of IFTTT must send, and what it must not send.
"""
import re
import string

UNRESERVED = string.ascii_letters + string.digits + "-._~"
EVERY_CALL = {"host", "user-agent", "accept", "accept-encoding"}
SDK_HEADERS = {"ifttt-sdk-version", "ifttt-sdk-platform", "ifttt-sdk-anonymous-id"}
TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+\Z")


class Request:
    def __init__(self, head, body):
        self.head, self.body, self.wrong = head, body, []
        lines = head.decode("latin-1").split("\r\n")
        self.method, self.target, self.fields = "", "", []
        match = re.fullmatch(r"([A-Z]+) (\S+) HTTP/1\.1", lines[0])
        if match:
            self.method, self.target = match.groups()
        else:
            self.complain("request line %r" % lines[0])
        for line in lines[1:]:
            name, colon, value = line.partition(":")
            if not colon or not TOKEN.match(name) or value[:1] != " " or value != " " + value.strip():
                self.complain("header line %r" % line)
            self.fields.append((name.lower(), value.strip()))
        names = [name for name, _ in self.fields]
        for name in sorted(set(names)):
            if names.count(name) > 1:
                self.complain("header %s twice" % name)
        if any(ord(c) < 0x20 or ord(c) > 0x7e for line in lines for c in line):
            self.complain("a byte that is not printable ASCII")
        self.path, self.query = self._parts()

    def complain(self, what):
        self.wrong.append(what)

    def header(self, name):
        return next((value for field, value in self.fields if field == name), None)

    def _decoded(self, text, where):
        """Decode a text, which must use normalized percent-encoding: uppercase digits, and no unnecessary encoding."""
        for code in re.findall(r"%(..?)", text):
            if not re.fullmatch(r"[0-9A-F]{2}", code):
                self.complain("%s: %%%s" % (where, code))
            elif chr(int(code, 16)) in UNRESERVED:
                self.complain("%s: %%%s needs no encoding" % (where, code))
        for character in re.sub(r"%..", "", text):
            if character not in UNRESERVED:
                self.complain("%s: bare %r" % (where, character))
        raw = re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m[1], 16)]), text.encode("latin-1"))
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            self.complain("%s is not UTF-8" % where)
            return raw.decode("utf-8", "replace")

    def _parts(self):
        path, mark, query = self.target.partition("?")
        if self.method == "CONNECT":
            if not re.fullmatch(r"[A-Za-z0-9.-]+:[0-9]+", self.target):
                self.complain("target %r" % self.target)
            if self.level != "none" or self.header("ifttt-invite-code") is not None:
                self.complain("a credential for the proxy")
            return [], {}
        if path[:1] != "/" or "#" in self.target:
            self.complain("target %r" % self.target)
        if mark and not query:
            self.complain("an empty query")
        items = {}
        for item in query.split("&") if query else []:
            name, equals, value = item.partition("=")
            name = self._decoded(name, "query name")
            if not equals:
                self.complain("query item %r" % item)
            if name in items:
                self.complain("query item %s twice" % name)
            items[name] = self._decoded(value, "query value")
        return [self._decoded(segment, "path") for segment in path.split("/")[1:]], items

    def check_frame(self, address, with_body=False, identified=False):
        """Check the rules for every request. An `identified` request must include the installation id; others must not."""
        allowed = EVERY_CALL | {"authorization", "ifttt-service-key", "ifttt-invite-code"}
        if self.method not in ("GET", "HEAD"):
            allowed |= {"content-length"}
            if self.header("content-length") != str(len(self.body)):
                self.complain("Content-Length %r" % self.header("content-length"))
        if with_body:
            allowed |= {"content-type"}
            if self.header("content-type") != "application/json":
                self.complain("Content-Type %r" % self.header("content-type"))
        elif self.body:
            self.complain("a body of %d bytes" % len(self.body))
        if identified:
            allowed |= SDK_HEADERS
            self.check_identity()
        for name, _ in self.fields:
            if name not in allowed:
                self.complain("header %s" % name)
        for name in sorted(EVERY_CALL):
            if not self.header(name):
                self.complain("no %s" % name)
        if self.header("host") != address:
            self.complain("Host %r" % self.header("host"))
        if self.header("accept") != "application/json":
            self.complain("Accept %r" % self.header("accept"))
        if "gzip" not in [word.strip() for word in (self.header("accept-encoding") or "").split(",")]:
            self.complain("Accept-Encoding %r" % self.header("accept-encoding"))
        if not re.fullmatch(r"ifttt/\d+\.\d+\.\d+(-[\w.-]+)?( \S.*)?", self.header("user-agent") or ""):
            self.complain("User-Agent %r" % self.header("user-agent"))

    def check_identity(self):
        if not re.fullmatch(r"\d+\.\d+\.\d+(-[\w.-]+)?( \S.*)?", self.header("ifttt-sdk-version") or ""):
            self.complain("IFTTT-SDK-Version %r" % self.header("ifttt-sdk-version"))
        if self.header("ifttt-sdk-platform") in (None, "", "ios", "android"):
            self.complain("IFTTT-SDK-Platform %r" % self.header("ifttt-sdk-platform"))
        random = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
        if not re.fullmatch(random, self.header("ifttt-sdk-anonymous-id") or ""):
            self.complain("IFTTT-SDK-Anonymous-Id %r" % self.header("ifttt-sdk-anonymous-id"))

    def check_query(self, *allowed):
        for name in self.query:
            if name not in allowed:
                self.complain("query item %s" % name)

    @property
    def level(self):
        """Return `none`, `service` or `user`. Two credentials in one request are a violation."""
        bearer, key = self.header("authorization"), self.header("ifttt-service-key")
        if bearer is not None and key is not None:
            self.complain("two credentials")
        if bearer is not None and not re.fullmatch(r"Bearer \S+", bearer):
            self.complain("Authorization %r" % bearer)
        if key is not None and not key:
            self.complain("an empty key")
        return "user" if bearer is not None else "service" if key is not None else "none"
