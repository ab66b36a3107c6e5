import PluginProtocol
import Support
import Testing
import World

@testable import Plugins

/// The files that a plugin may open.
@Suite struct PluginConfinementTests {
  private let folder = TemporaryFolder()

  private func confinement(
    of text: String = "#!/bin/sh\n", _ files: [FileAccess] = [], path: String = "", more: [String: String] = [:]
  ) throws -> Confinement {
    folder.write("ifttt-shelf", text)
    let test = TestWorld(
      environment: ["HOME": "/home/ann", "PATH": path, "IFTTT_HOME": ""].merging(more) { $1 }, folder: folder)
    test.files.elsewhere = { SystemError(number: 2, call: $0) }
    test.processes.confines = true
    test.processes.program = "/opt/ifttt/bin/ifttt"
    var world = test.world
    world.workingFolder = "/home/ann/work"
    return try #require(
      PluginConfinement(
        folder: folder.path, executable: folder["ifttt-shelf"], permitted: files, world: world
      ).confinement)
  }

  @Test func itsFolderAndTheSystemAreReadable() throws {
    let found = try confinement()
    #expect(found.readable.first == folder.path && found.readable.contains("/usr"))
    #expect(found.writable == [])
    #expect(!found.readable.contains { $0 == "/" || $0.hasPrefix("/home") || $0.hasPrefix("/root") })
  }

  @Test(arguments: [
    ("~/feeds.opml", ["/home/ann/feeds.opml"]), ("~", ["/home/ann"]), ("/srv/x", ["/srv/x"]), ("/", ["/"]),
    (".", ["/home/ann/work"]), ("./a", ["/home/ann/work/a"]), ("$TMPDIR", ["/tmp"]), ("$TMPDIR/a", ["/tmp/a"]),
    ("$NOTES", ["/srv/notes"]), ("$NOTES/a", ["/srv/notes/a"]), ("$LOCAL", ["/home/ann/work/here"]), ("$NONE", []),
    (
      "$IFTTT_HOME",
      [
        "/home/ann/.config/ifttt", "/home/ann/.local/share/ifttt", "/home/ann/.local/state/ifttt",
        "/home/ann/.cache/ifttt",
      ]
    ),
  ])
  func permittedPathsAreAdded(_ path: String, _ expected: [String]) throws {
    let variables = ["NOTES": "/srv/notes", "LOCAL": "here"]
    let read = try confinement([FileAccess(.read, path)], more: variables)
    #expect(Array(read.readable.suffix(expected.count)) == expected && read.writable == [])
    let written = try confinement([FileAccess(.write, path)], more: variables)
    #expect(written.writable == expected)
    #expect(written.readable.contains("/opt/ifttt/bin") == (path == "$IFTTT_HOME"))
  }

  @Test(arguments: [
    ("/home/ann/.pyenv/shims", ["/home/ann/.pyenv"]), ("/home/ann/.nvm/v20/bin", ["/home/ann/.nvm/v20"]),
    ("/home/ann/tools", ["/home/ann/tools"]), ("/home/ann/bin", ["/home/ann/bin", "/home/ann/lib"]),
    ("/home/ann/.local/bin", ["/home/ann/.local/bin", "/home/ann/.local/lib"]),
    ("/home/bin", ["/home/bin", "/home/lib"]),
    ("/bin", ["/bin"]), ("relative/bin", []), (":", []), ("/home/ann", []), ("/", []), ("/home", []),
  ])
  func installationsOnThePathAreReadable(_ path: String, _ expected: [String]) throws {
    let plain = try confinement().readable
    #expect(
      try confinement(path: path).readable.filter { !plain.contains($0) } == expected.filter { !plain.contains($0) })
  }

  @Test func certificatesOfTheUserAreReadable() throws {
    let found = try confinement(more: ["SSL_CERT_FILE": "/home/ann/ca.pem", "SSL_CERT_DIR": "relative"])
    #expect(found.readable.contains("/home/ann/ca.pem") && !found.readable.contains("relative"))
  }

  @Test func theInterpreterIsReadable() throws {
    try LiveFiles(interruption: TestInterruption()).makeFolder(folder["venv/bin"])
    folder.write("venv/bin/python3", "")
    let direct = try confinement(of: "#!\(folder["venv/bin/python3"]) -E\nx")
    #expect(direct.readable.contains(folder["venv"]))
    let found = try confinement(of: "#!/usr/bin/env -S python3\n", path: folder["venv/bin"])
    #expect(found.readable.contains(folder["venv"]))
    // A binary has no interpreter.
    #expect(try confinement(of: "\u{7f}ELF").readable == confinement(of: "").readable)
  }

  @Test func withoutSupportOfTheSystemNothingIsConfined() {
    let world = TestWorld(folder: folder).world
    #expect(
      PluginConfinement(folder: "/p", executable: "/p/x", permitted: [], world: world).confinement == nil)
  }
}
