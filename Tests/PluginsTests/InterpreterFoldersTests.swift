import Support
import Testing
import World

@testable import Plugins

/// What PATH and the first line of a plugin open: programs, and the libraries of interpreters.
@Suite struct InterpreterFoldersTests {
  private let tree: PluginTree

  init() throws { tree = try PluginTree() }

  private func program(_ name: String) throws { try tree.write(name, "", mode: 0o700) }

  @Test func onlyTheFolderItselfIsOpened() throws {
    for name in ["project/bin/tool", "project/.env", "project/.git/config", "project/lib/code", "project/share/x"] {
      try tree.write(name)
    }
    for path in ["project/bin", "project/bin/", "project//bin", "project/./bin", "project/lib/../bin"] {
      let found = try tree.confinement(more: ["PATH": tree[path]])
      #expect(tree.opens("project/bin/tool", found))
      for closed in ["project/.env", "project/.git/config", "project/lib/code", "project/share/x"] {
        #expect(!tree.opens(closed, found), "\(closed) with \(path)")
      }
    }
    #expect(try tree.confinement(more: ["PATH": "relative/bin"]).readable == tree.confinement().readable)
    #expect(try tree.confinement(more: ["PATH": ":"]).readable == tree.confinement().readable)
  }

  @Test func theLibrariesOfAnInterpreterAreOpened() throws {
    for name in ["node/v20/lib/node_modules/npm", "node/v20/.npmrc", "node/v20/include/x"] { try tree.write(name) }
    try program("node/v20/bin/node")
    // In PATH, for a plugin that runs it, and as the interpreter of the plugin, with and without env.
    for (script, path) in [
      ("#!/bin/sh\n", tree["node/v20/bin"]), ("#!\(tree["node/v20/bin/node"]) -x\n", ""),
      ("#!/usr/bin/env -S A=b node -x\n", "/usr/bin:" + tree["node/v20/bin"]),
    ] {
      let found = try tree.confinement(script: script, more: ["PATH": path])
      #expect(tree.opens("node/v20/lib/node_modules/npm", found) && tree.opens("node/v20/bin/node", found), "\(script)")
      #expect(!tree.opens("node/v20/.npmrc", found) && !tree.opens("node/v20/include/x", found))
    }
  }

  @Test func aVirtualEnvironmentIsOpenedWithItsInstallation() throws {
    try program("base/bin/python3.12")
    for name in ["base/lib/python3.12/os.py", "base/.secret", "venv/lib/x.py", "venv/.env", "other/bin/x"] {
      try tree.write(name)
    }
    try tree.write("venv/pyvenv.cfg", "version = 3.12\nhome = \(tree["base/bin"])\nexecutable = /x\n")
    tree.link("base/bin/python3", to: "python3.12")
    try tree.write("venv/bin/activate")
    tree.link("venv/bin/python3", to: tree["base/bin/python3"])
    for (script, path) in [
      ("#!\(tree["venv/bin/python3"])\n", ""), ("#!/usr/bin/env python3\n", tree["venv/bin"] + ":/usr/bin"),
    ] {
      let found = try tree.confinement(script: script, more: ["PATH": path])
      for open in ["base/bin/python3.12", "base/lib/python3.12/os.py", "venv/lib/x.py", "venv/pyvenv.cfg"] {
        #expect(tree.opens(open, found), "\(open)")
      }
      #expect(!tree.opens("venv/.env", found) && !tree.opens("base/.secret", found))
    }
    // A foreign file opens no folder without an interpreter.
    try tree.write("venv/pyvenv.cfg", "home = \(tree["keys"])\n")
    #expect(try !tree.opens("keys/other", tree.confinement(more: ["PATH": tree["venv/bin"]])))
    tree.link("keys/python3", to: tree["keys/other"])
    #expect(try !tree.opens("keys/other", tree.confinement(more: ["PATH": tree["venv/bin"]])))
  }

  /// A link in a writable folder of PATH must not open the folder of any file.
  @Test func aLinkOpensNoFolderOfOtherFiles() throws {
    try program("keys/secret")
    try tree.write("tools/x")
    tree.link("tools/node", to: tree["keys/secret"])
    let found = try tree.confinement(more: ["PATH": tree["tools"]])
    #expect(tree.opens("tools/x", found) && !tree.opens("keys/other", found))
  }

  @Test func theVersionsBehindShimsAreOpened() throws {
    for name in [
      "home/.pyenv/libexec/pyenv", "home/.pyenv/versions/3.12/bin/python3", "home/.pyenv/version",
      "home/.pyenv/pyenv.d/exec/x", "home/.pyenv/.git/config",
    ] { try tree.write(name) }
    try program("home/.pyenv/shims/python3")
    let found = try tree.confinement(
      script: "#!/usr/bin/env python3\n", more: ["PATH": tree["home/.pyenv/shims"] + ":/usr/bin"])
    for open in ["libexec/pyenv", "versions/3.12/bin/python3", "version", "pyenv.d/exec/x", "shims/python3"] {
      #expect(tree.opens("home/.pyenv/\(open)", found), "\(open)")
    }
    #expect(!tree.opens("home/.pyenv/.git/config", found))
  }

  @Test func packagesOfTheUserAreOpened() throws {
    try tree.write("home/.local/lib/python3.12/x.py")
    try tree.write("home/.local/bin/tool")
    try tree.write("home/lib/x")
    let found = try tree.confinement(more: ["PATH": tree["link/.local/bin"] + ":" + tree["link/bin"]])
    #expect(tree.opens("home/.local/lib/python3.12/x.py", found) && tree.opens("home/bin/tool", found))
    #expect(!tree.opens("home/lib/x", found) && !tree.opens("home/.local/share/other", found))
    // An interpreter in the home folder itself does not open the user's other folders.
    try program("home/bin/python3")
    try tree.write("home/share/x")
    let own = try tree.confinement(more: ["PATH": tree["home/bin"]])
    #expect(tree.opens("home/lib/x", own) && !tree.opens("home/share/x", own) && !tree.opens("home/.netrc", own))
    try program("home/.local/bin/python3")
    let local = try tree.confinement(more: ["PATH": tree["home/.local/bin"]])
    #expect(!tree.opens("home/.local/share/other", local))
  }

  @Test func aBinaryHasNoInterpreter() throws {
    #expect(try tree.confinement(script: "\u{7f}ELF").readable == tree.confinement(script: "").readable)
  }

  @Test(arguments: [
    ("#!/bin/sh\n", "/bin/sh", true), ("#! /bin/sh -e\n", "/bin/sh", true), ("#!/usr/bin/env sh\n", "sh", true),
    ("#!/usr/bin/env -S sh -e\n", "sh", true), ("#!/usr/bin/env -Ssh -e\n", "sh", true),
    ("#!/usr/bin/env A=b sh\n", "sh", true), ("#!/none/python3\n", "/none/python3", false),
    ("#!/usr/bin/env none-such\n", "none-such", false), ("#!/bin/sh\r\n", "/bin/sh\r", false),
    ("#!/none/env sh\n", "/none/env", false),
  ])
  func theFirstLineNamesTheInterpreter(_ script: String, _ name: String, _ exists: Bool) throws {
    let test = TestWorld(environment: ["PATH": "/usr/bin:/bin"], folder: tree.folder)
    var world = test.world
    world.files = LiveFiles(interruption: TestInterruption())
    let path = tree.folder.write("script", script)
    let found = try #require(PluginInterpreter(of: path, in: world))
    #expect(found.name == name && (found.path != nil) == exists)
    #expect(found.endsWithCarriageReturn == name.hasSuffix("\r"))
  }
}
