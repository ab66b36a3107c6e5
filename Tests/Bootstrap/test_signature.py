from case import ARCHIVE, KEYS, BootstrapTest
from server import Server
from standin import archive

INVALID = "is not valid. Nothing of it was run."


class SignatureTests(BootstrapTest):
    def with_files(self, **changes):
        """Runs on a machine whose server has other files; `pinned` are the accepted fingerprints."""
        server = Server({
            ARCHIVE: changes.get("archive", self.files[ARCHIVE]),
            ARCHIVE + ".sig": changes.get("signature", self.files[ARCHIVE + ".sig"]),
            KEYS: changes.get("keys", self.files[KEYS]),
        })
        self.addCleanup(server.close)
        self.machine = self.new_machine(server, changes.get("pinned", self.signer))
        return self.machine.run("--yes")

    def test_changed_archive(self):
        self.assert_rejected(self.with_files(archive=archive()), INVALID, "BAD signature")

    def test_key_that_is_not_pinned(self):
        other = self.keys.create("other")
        signature = self.keys.sign(other, self.files[ARCHIVE])
        keys = self.keys.public(self.signer, other)
        self.assert_rejected(self.with_files(signature=signature, keys=keys), INVALID)

    def test_keys_of_swift_org_do_not_accept_the_signature_of_a_mirror(self):
        pinned = "52BB7E3DE28A71BE22EC05FFEF80A866B47A981F E813C892820A6FA13755B268F167DF1ACF9CE069"
        self.assert_rejected(self.with_files(pinned=pinned), INVALID)

    def test_part_of_a_fingerprint(self):
        self.assert_rejected(self.with_files(pinned=self.signer[-16:]), INVALID)

    def test_pinned_key_is_absent(self):
        other = self.keys.create("another")
        self.assert_rejected(self.with_files(keys=self.keys.public(other)), INVALID)

    def test_no_keys(self):
        self.assert_rejected(self.with_files(keys=b"<html>"), INVALID)

    def test_no_signature(self):
        self.assert_rejected(self.with_files(signature=b"<html>"), INVALID)

    def test_two_signatures(self):
        other = self.keys.create("second")
        content = self.files[ARCHIVE]
        for signers in ((self.signer, other), (other, self.signer)):
            both = b"".join(self.keys.sign(signer, content) for signer in signers)
            self.assert_rejected(self.with_files(signature=both, keys=self.keys.public(*signers)), INVALID)

    def test_several_pinned_keys(self):
        code, output = self.with_files(pinned="A" * 40 + " " + self.signer)
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_key_that_expired_after_the_signature(self):
        key = self.keys.create("expired", expires="20210101T000000", time="20200101")
        signature = self.keys.sign(key, self.files[ARCHIVE], time="20200601")
        code, output = self.with_files(signature=signature, keys=self.keys.public(key), pinned=key)
        self.assertEqual(code, 0, output)
        self.assert_installed()

    def test_key_that_expired_before_the_signature(self):
        key = self.keys.create("late", time="20200101")
        signature = self.keys.sign(key, self.files[ARCHIVE], time="20210601")
        self.keys.gpg("--quick-set-expire", key, "20210101T000000", time="20200601")
        self.assert_rejected(self.with_files(signature=signature, keys=self.keys.public(key), pinned=key), INVALID)

    def test_revoked_key(self):
        key = self.keys.create("revoked")
        signature = self.keys.sign(key, self.files[ARCHIVE])
        self.keys.revoke(key)
        self.assert_rejected(self.with_files(signature=signature, keys=self.keys.public(key), pinned=key), INVALID)

    def test_mirror_and_keys_only_together(self):
        for name in ("IFTTT_SWIFT_MIRROR", "IFTTT_SWIFT_MIRROR_KEYS"):
            self.machine = self.new_machine(self.server, self.signer)
            del self.machine.environment[name]
            self.assert_rejected(self.machine.run("--yes"), "Set both IFTTT_SWIFT_MIRROR and IFTTT_SWIFT_MIRROR_KEYS, or neither.")
        self.assertEqual(self.server.requests, [])

    def test_http_only_from_this_machine(self):
        for address in ("http://127.0.0.2:", "http://127.0.0.1:x@127.0.0.1:"):
            self.machine.environment["IFTTT_SWIFT_MIRROR"] = f"{address}{self.server.server_port}"
            self.assert_rejected(self.machine.run("--yes"), "could not be downloaded.")
        self.assertEqual(self.server.requests, [])
