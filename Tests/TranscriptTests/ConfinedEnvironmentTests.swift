import Foundation
import Support
import Testing
import World

/// What a plugin reaches through the variables and the descriptors of the user's shell. Where the system has no Landlock,
/// nothing can be tested.
@Suite(.enabled(if: LiveProcesses(interruption: TestInterruption(), environment: [:]).confines))
struct ConfinedEnvironmentTests {
  private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])
  private let source = TemporaryFolder()

  private func install(_ script: String) throws {
    source.write(
      "plugin.json", #"{"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"command"}"#)
    source.write("ifttt-try", script, mode: 0o700)
    let outcome = try home.run("plugin", "install", source.path, "--yes", "--allow-new-permissions")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// However a variable spells the home folder, and even if it or the store is behind a link.
  @Test(arguments: [
    "$H/bin", "$H//bin", "$H/", "$H", "$H/./bin", "$H/bin/../bin", "$H/bin/..", "$L", "$L/bin", "$L/bin/..",
  ])
  func theHomeFolderStaysClosed(_ entry: String) throws {
    let workplace = home.workplace
    for folder in ["bin", "data"] { #expect(mkdir(workplace[folder], 0o700) == 0) }
    workplace.write(".netrc", "secret")
    let links = TemporaryFolder()
    #expect(symlink(workplace.path, links["home"]) == 0)
    let written = entry.replacingOccurrences(of: "$H", with: workplace.path)
      .replacingOccurrences(of: "$L", with: links["home"])
    home.environment["IFTTT_HOME"] = workplace["data"]
    try install("#!/bin/sh\ncat \(workplace[".netrc"]) \(workplace["data"])/ifttt.db 2>/dev/null; echo ran\n")
    for variables in [
      ["HOME": workplace.path], ["HOME": links["home"]], ["IFTTT_HOME": "data"], ["IFTTT_HOME": links["home/data"]],
    ] {
      for (name, value) in [
        ("PATH", "/usr/bin:/bin:" + written), ("SSL_CERT_DIR", written), ("SSL_CERT_FILE", written),
      ] {
        let given = ["HOME": workplace.path].merging(variables) { $1 }.merging([name: value]) { $1 }
        #expect(try home.run(["try"], given).text == "ran\n", "\(given)")
      }
    }
  }

  /// A folder of programs in which the home folder is mounted, as in a container.
  @Test(.enabled(if: PrivateDisk.isPossible, Comment(rawValue: PrivateDisk.requirement)))
  func aMountedHomeFolderStaysClosed() throws {
    let tools = TemporaryFolder()
    #expect(mkdir(tools["the home"], 0o700) == 0)
    tools.write("tool", "#!/bin/sh\necho tool\n", mode: 0o700)
    home.workplace.write(".netrc", "secret")
    try install("#!/bin/sh\ntool; cat '\(tools["the home"])/.netrc' 2>/dev/null\n")
    home.environment["HOME"] = home.workplace.path
    home.environment["PATH"] = "/usr/bin:/bin:/usr/sbin:/sbin:\(tools.path)"
    let script = #"mount --bind "$HOME" "\#(tools["the home"])" && cat "\#(tools["the home"])/.netrc" && "$IFTTT" try"#
    let lines = try home.run(onPrivateDisk: script)
    #expect(lines.first == "secrettool" || lines.first == "secret", "\(lines)")
    #expect(!lines.dropFirst().contains { $0.contains("secret") }, "\(lines)")
  }

  @Test func aFolderOfProgramsOpensOnlyItself() throws {
    let project = TemporaryFolder()
    #expect(mkdir(project["bin"], 0o700) == 0)
    project.write("bin/tool", "#!/bin/sh\necho tool\n", mode: 0o700)
    project.write(".env", "secret")
    try install("#!/bin/sh\ntool; cat \(project[".env"]) 2>/dev/null; ls \(project.path) 2>/dev/null\n")
    #expect(try home.run(["try"], ["PATH": "/usr/bin:/bin:\(project["bin"])"]).text == "tool\n")
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3"))
  func aVirtualEnvironmentOfPythonWorks() throws {
    let folder = try ScratchFolder()
    let environment = try Tool.required("python3").run(["-m", "venv", "--without-pip", "env"], in: folder)
    try #require(environment.status == 0, "\(environment.errors)")
    try folder.write("secret", to: "env/.env")
    try folder.write("value = 'of the environment'\n", to: "env/lib/extra.py")
    try install(
      """
      #!/usr/bin/env python3
      import json, sys
      sys.path.append(sys.prefix + "/lib")
      import extra
      print(sys.prefix, extra.value)
      try: print(open(sys.prefix + "/.env").read())
      except PermissionError: print("denied")

      """)
    let outcome = try home.run(["try"], ["PATH": "\(folder.path)/env/bin:/usr/bin:/bin"])
    let expected = "\(folder.url.resolvingSymlinksInPath().path)/env of the environment\ndenied\n"
    #expect(outcome.text == expected, "\(outcome.errors)")
  }

  @Test func onlyNamedDescriptorsAreInherited() throws {
    try install("#!/bin/sh\nls /proc/self/fd | tr '\\n' ' '; for file; do cat \"${file#--from=}\"; done\n")
    func run(_ script: String) throws -> String {
      let shell = try Tool.required("bash")
      let outcome = try shell.run(
        ["-c", script], in: ScratchFolder(),
        environment: home.environment.merging(["IFTTT": Home.program]) { $1 })
      return outcome.output
    }
    // The shell's own descriptor of /proc/self/fd is 3.
    #expect(try run(#"exec 7</etc/passwd 9>lock; "$IFTTT" try"#) == "0 1 2 3 ")
    #expect(try run(#"exec 7</etc/passwd; "$IFTTT" try <(echo one) --from=<(echo two)"#).hasSuffix("one\ntwo\n"))
    #expect(try run(#"exec 7<<<text; exec 8<<<more; "$IFTTT" try /proc/self/fd/7"#).hasPrefix("0 1 2 3 7 "))
  }

  /// Landlock limits no modes: the next command refuses the store.
  @Test func aStoreWithOtherModesIsRefused() throws {
    try install("#!/bin/sh\nchmod 755 \(home.folder.path)\n")
    #expect(try home.run("try").status == 0)
    let next = try home.run("connections", "list")
    #expect(next.status != 0 && next.errors.contains("chmod 700"), "\(next.errors)")
  }

  @Test func aMissingInterpreterIsReported() throws {
    func found() throws -> [String: String] {
      let outcome = try home.run("doctor", "--offline", "--json", "--fields", "check,status,found,advice")
      let rows = try JSONSerialization.jsonObject(with: Data(outcome.output)) as? [[String: Any]] ?? []
      return rows.first { $0["check"] as? String == "plugins" }?.compactMapValues { $0 as? String } ?? [:]
    }
    try install("#!/usr/bin/env no-such-interpreter\n")
    #expect(try found()["found"] == "try: its interpreter 'no-such-interpreter' is missing")
    #expect(try found()["status"] == "warning")
    try install("#!/bin/sh\r\n")
    #expect(try found()["advice"]?.contains("carriage return") == true)
    try install("#!/bin/sh\n")
    #expect(try found()["status"] == "ok")
  }
}
