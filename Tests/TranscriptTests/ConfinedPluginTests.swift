import Support
import Testing
import World

/// Plugins that try to open files that the user did not permit. Where the system has no Landlock, nothing can be tested.
@Suite(.enabled(if: LiveProcesses(interruption: TestInterruption(), environment: [:]).confines))
struct ConfinedPluginTests {
  private let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  /// Installs a plugin with this script as its executable.
  /// - Parameter files: the member `files` of its manifest.
  private func install(_ script: String, kind: String = "command", files: String = "[]") throws {
    let source = try ScratchFolder()
    let more = kind == "command" ? "" : #","protocol":["1"],"capabilities":["connections/list"]"#
    try source.write(
      #"{"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"\#(kind)","files":\#(files)\#(more)}"#,
      to: "plugin.json")
    try source.write("#!/bin/sh\n" + script, to: "ifttt-try", isExecutable: true)
    let outcome = try home.run("plugin", "install", source.path, "--yes", "--allow-new-permissions")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test func theStoreCannotBeRead() throws {
    let script = "cat '\(home.folder["ifttt.db"])' >/dev/null && echo read; ls '\(home.folder.path)'"
    try install(script)
    let outcome = try home.run("try")
    #expect(outcome.text == "" && outcome.status == 2 && outcome.errors.contains("ermission denied"))
    // Only one permission opens it, not a path that the user may not recognize.
    for path in [home.folder.path, "/tmp", "/"] where home.folder.path.hasPrefix(path) {
      try install(script, files: #"[{"path":"\#(path)","access":"read"}]"#)
      #expect(try !home.run("try").text.contains("read"))
    }
    try install(script, files: #"[{"path":"$IFTTT_HOME","access":"read"}]"#)
    #expect(try home.run("try").text.hasPrefix("read\n"))
  }

  @Test func aProviderIsConfinedToo() throws {
    try install(
      """
      read -r line
      cat '\(home.folder["ifttt.db"])' >/dev/null 2>&1 && name=read || name=denied
      id=${line##*'"id":'}; id=${id%%[,\\}]*}
      printf '{"jsonrpc":"2.0","id":%s,"result":{"protocol":"1","name":"try","version":"1","capabilities":["connections/list"]}}\\n' "$id"
      read -r line
      id=${line##*'"id":'}; id=${id%%[,\\}]*}
      printf '{"jsonrpc":"2.0","method":"item","params":{"id":%s,"item":{"id":"1","name":"%s","status":"enabled"}}}\\n' "$id" "$name"
      printf '{"jsonrpc":"2.0","id":%s,"result":{}}\\n' "$id"
      cat >/dev/null

      """, kind: "provider")
    let outcome = try home.run(
      "--profile", "default", "connections", "list", "--provider", "try", "--fields", "name", "-o", "tsv", "--no-header"
    )
    #expect(outcome.text == "denied\n", "\(outcome.errors)")
  }

  @Test func itsOwnFolderIsMade() throws {
    home.environment["HOME"] = home.workplace.path
    try install("echo mine >~/.try/notes && cat ~/.try/notes", files: #"[{"path":"~/.try","access":"write"}]"#)
    #expect(try home.run("try").text == "mine\n")
    try install("mkdir ~/.other", files: #"[{"path":"~/.try","access":"write"}]"#)
    #expect(try home.run("try").status == 1)
  }

  /// Who names a file in an option of the plugin lets it read that file, and no other.
  @Test func aNamedFileIsReadable() throws {
    home.workplace.write("named", "mine")
    home.workplace.write("other", "secret")
    let source = try ScratchFolder()
    try source.write(
      #"""
      {"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"command","commands":{"name":"try",
        "summary":"Tries","options":[{"name":"from","help":"A file","value":{"placeholder":"F","completion":"file"}}]}}
      """#, to: "plugin.json")
    try source.write("#!/bin/sh\ncat named; cat other\n", to: "ifttt-try", isExecutable: true)
    try #require(home.run("plugin", "install", source.path, "--yes").status == 0)
    #expect(try home.run("try", "--from", "named").text == "mine")
    #expect(try home.run("try").text == "")
  }

  @Test func theCurrentFolderIsReadOnlyIfItIsDeclared() throws {
    home.workplace.write("notes", "mine")
    let script = "cat notes; echo more >notes"
    try install(script)
    #expect(try home.run("try").text == "")
    try install(script, files: #"[{"path":".","access":"read"}]"#)
    #expect(try home.run("try").text == "mine")
    #expect(home.workplace.text("notes") == "mine")
    try install(script, files: #"[{"path":".","access":"write"}]"#)
    #expect(try home.run("try").status == 0)
    #expect(home.workplace.text("notes") == "more\n")
  }

  @Test func aPluginThatRunsTheProgramDeclaresItsData() throws {
    let script = #""$IFTTT_PROGRAM" connections list --fields name --no-header -o tsv | head -1"#
    let environment = ["IFTTT_HOME": home.folder.path]
    func run(_ files: String) throws -> Home.Outcome {
      try install("IFTTT_HOME='\(home.folder.path)'; export IFTTT_HOME; \(script)", files: files)
      return try home.run(["try"], environment)
    }
    #expect(try run("[]").text == "")
    let outcome = try run(#"[{"path":"$IFTTT_HOME","access":"write"}]"#)
    #expect(outcome.text != "" && outcome.errors == "")
  }

  @Test func theQuestionNamesTheFiles() throws {
    let source = try ScratchFolder()
    try source.write(
      #"{"schema_version":1,"name":"try","version":"1","summary":"Tries","kind":"command","files":[{"path":"~/x","access":"read"},{"path":"$IFTTT_HOME","access":"write"}]}"#,
      to: "plugin.json")
    try source.write("#!/bin/sh\n", to: "ifttt-try", isExecutable: true)
    let notes = try home.run("plugin", "install", source.path, "--dry-run").errors
    #expect(
      notes.contains("  file access  read ~/x, write the data of ifttt with all stored credentials (no others)\n"),
      "\(notes)")
  }
}
