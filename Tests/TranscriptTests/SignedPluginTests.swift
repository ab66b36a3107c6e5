import Foundation
import Support
import Testing

/// Signatures made and verified with the real ssh-keygen.
@Suite(.enabled(if: Tool.isInstalled("ssh-keygen"), "skipped: needs ssh-keygen"))
struct SignedPluginTests {
  private let published = PublishedFolder()

  init() throws {
    for name in ["acme", "mallory"] { try makeKey(name) }
    try published.publish("1.0.0", key: "acme")
    try published.succeed("plugin", "index", "add", "local", "site/index.json")
  }

  private func makeKey(_ name: String, passphrase: String = "") throws {
    try published.tool("ssh-keygen", "-q", "-t", "ed25519", "-N", passphrase, "-C", name, "-f", published.folder[name])
  }

  private func publish(_ version: String, key: String?) throws {
    try published.publish(version, key: key)
    try published.succeed("plugin", "index", "update")
  }

  private func trust(_ label: String, _ options: String...) throws {
    let outcome = try published.home.run(["plugin", "trust", "add", label, "\(label).pub"] + options)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func expectRejection(
    _ words: String..., because reason: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let outcome = try published.home.run(["plugin"] + words)
    #expect(outcome.status == 1, sourceLocation: sourceLocation)
    #expect(outcome.errors.contains(reason), "\(outcome.errors)", sourceLocation: sourceLocation)
  }

  @Test func aTrustedSignerIsShown() throws {
    try trust("acme")
    try published.succeed("plugin", "install", "try", "--yes")
    #expect(try published.value("signer") == "acme")
    let fingerprint = try published.tool("ssh-keygen", "-l", "-f", published.folder["acme.pub"]).split(separator: " ")[
      1]
    #expect(try published.value("signer_key") == fingerprint)
    try publish("1.1.0", key: "acme")
    try published.succeed("plugin", "upgrade", "try", "--yes")
    #expect(try published.succeed("try") == "1.1.0\n")
    // Also from the archive itself, with the signature beside it.
    try published.succeed("plugin", "install", "site/try-1.0.0-any.tar.gz", "--yes")
    #expect(try published.value("signer") == "acme")
    #expect(published.leftovers == [])
  }

  @Test func anUntrustedSignerNeedsAPerson() throws {
    try expectRejection("install", "try", "--yes", because: "it is signed with a key that is not trusted")
    try expectRejection("install", "try", because: "it is signed with a key that is not trusted")
    let running = try published.home.start(onTerminal: [
      "plugin", "install", published.folder["site/try-1.0.0-any.tar.gz"],
    ])
    running.read(until: "signed with an unknown key)? [y/N] ")
    running.type("y\n")
    running.read(until: "status 0")
    #expect(try published.value("signer") == "")
    // The key is now that of the plugin.
    try publish("1.1.0", key: "mallory")
    try trust("mallory")
    try expectRejection("install", "try", "--yes", because: "this one by mallory")
  }

  @Test func anotherSignerIsRejected() throws {
    try trust("acme")
    try trust("mallory")
    try published.succeed("plugin", "install", "try", "--yes")
    try publish("1.1.0", key: "mallory")
    try expectRejection("upgrade", "try", "--yes", because: "the installed version is signed by acme")
    try publish("1.2.0", key: nil)
    try expectRejection("upgrade", "try", "--yes", because: "this one by no key")
    try published.write("1.3.0")
    try expectRejection("install", "./source", "--yes", because: "this one by no key")
    #expect(try published.succeed("try") == "1.0.0\n")
    try published.succeed("plugin", "remove", "try", "--yes")
    try published.succeed("plugin", "install", "./source", "--yes")
  }

  /// The label stays when an author changes the key.
  @Test func aKeyCanBeReplaced() throws {
    try trust("acme")
    try published.succeed("plugin", "install", "try", "--yes")
    try publish("1.1.0", key: "mallory")
    try published.succeed("plugin", "trust", "remove", "acme")
    try published.succeed("plugin", "trust", "add", "acme", "mallory.pub")
    try published.succeed("plugin", "upgrade", "try", "--yes")
    #expect(try published.succeed("try") == "1.1.0\n")
  }

  @Test func anExpiredKeyIsRejected() throws {
    try trust("acme", "--valid-before", "2020-01-31")
    try expectRejection("install", "try", "--yes", because: "the key of 'acme' has expired")
    try published.succeed("plugin", "trust", "remove", "acme")
    try trust("acme", "--valid-before", "2999-01-31T12:00:00+01:00")
    try published.succeed("plugin", "install", "try", "--yes")
  }

  /// A signature of other bytes, for another purpose, or with a changed key is not like none at all.
  @Test func invalidSignaturesAreRejected() throws {
    try trust("acme")
    let good = try #require(published.folder.text("site/try-1.0.0-any.tar.gz.sig"))
    published.folder.write("other", "other bytes")
    try FileManager.default.copyItem(
      atPath: published.folder["site/try-1.0.0-any.tar.gz"], toPath: published.folder["for-git"])
    try published.tool(
      "ssh-keygen", "-q", "-Y", "sign", "-f", published.folder["acme"], "-n", "ifttt-plugin", published.folder["other"])
    try published.tool(
      "ssh-keygen", "-q", "-Y", "sign", "-f", published.folder["acme"], "-n", "git", published.folder["for-git"])
    let bad = try ["other.sig", "for-git.sig"].map { try String(contentsOfFile: published.folder[$0], encoding: .utf8) }
    for text in bad + ["", "junk", good.replacing("-----END", with: "AAAA\n-----END")] {
      published.folder.write("site/try-1.0.0-any.tar.gz.sig", text)
      try expectRejection("install", "try", "--yes", because: "the signature of try-1.0.0-any.tar.gz is not valid")
    }
    #expect(published.leftovers == [])
  }

  @Test func anIndexThatDemandsSignaturesGetsThem() throws {
    let text = try #require(published.folder.text("site/index.json"))
    published.folder.write(
      "site/index.json", text.replacing("\"plugins\": [", with: "\"require_signatures\": true, \"plugins\": ["))
    try published.succeed("plugin", "index", "update")
    try trust("acme")
    try published.succeed("plugin", "install", "try", "--yes")
    try publish("1.1.0", key: nil)
    try published.succeed("plugin", "remove", "try", "--yes")
    try expectRejection("install", "try", "--yes", because: "its index requires signatures")
  }

  @Test func aPassphraseIsTypedAtTheTerminal() throws {
    try makeKey("locked", passphrase: "lantern")
    try published.write("2.0.0")
    let words = [
      "plugin", "package", published.folder["source"], "--directory", published.site, "--sign",
      published.folder["locked"],
    ]
    let refused = try published.home.run(words)
    #expect(refused.status == 1 && refused.errors.contains("the archive was not signed"), "\(refused.errors)")
    #expect(!FileManager.default.fileExists(atPath: published.folder["site/try-2.0.0-any.tar.gz"]))
    let running = try published.home.start(onTerminal: words)
    running.read(until: "Enter passphrase")
    running.type("lantern\n")
    running.read(until: "status 0")
    #expect(FileManager.default.fileExists(atPath: published.folder["site/try-2.0.0-any.tar.gz.sig"]))
  }

  @Test func keyFilesAreChecked() throws {
    for name in ["acme", "site/index.json", "nowhere"] {
      try expectRejection("trust", "add", "x", name, because: "\(name) is not a public key")
    }
    try trust("acme")
    try expectRejection("trust", "add", "acme", "mallory.pub", because: "there is already a key 'acme'")
    try expectRejection("trust", "add", "x", "acme.pub", because: "the key is already trusted")
    #expect(try published.run("plugin", "trust", "remove", "x").status == 3)
    #expect(try published.run("plugin", "trust", "add", "a b", "acme.pub").status == 2)
  }
}
