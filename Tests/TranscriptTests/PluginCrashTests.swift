#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// `kill -9` before each change of a file that a change of a plugin makes. The next start completes or undoes it: the
  /// plugin has the old or the new version, which runs, and the version before it is not lost.
  extension CrashTests {
    /// Write a version of the plugin `try`, which prints its version.
    private func write(_ version: String) throws -> String {
      let path = folder.path + "/try-\(version)"
      try folder.write(
        #"{"schema_version":1,"name":"try","version":"\#(version)","summary":"Tries","kind":"command"}"#,
        to: "try-\(version)/plugin.json")
      try folder.write("#!/bin/sh\necho \(version)\n", to: "try-\(version)/ifttt-try", isExecutable: true)
      return path
    }

    private func install(_ paths: String...) throws {
      for path in paths { #expect(try home.run("plugin", "install", path, "--yes").status == 0) }
    }

    /// The status, version and previous version of the plugin; empty if there is none.
    private func state() throws -> String {
      let list = try home.run("plugin", "list", "-o", "tsv", "--no-header", "--fields", "version,status").text
      guard list != "" else { return "" }
      let version = list.split(separator: "\t")[0]
      #expect(try home.run("try").text == "\(version)\n")
      let previous = try home.run(
        "plugin", "show", "try", "-o", "tsv", "--no-header", "--fields", "status,version,previous_version")
      return previous.text.trimmingCharacters(in: .whitespacesAndNewlines).replacing("\t", with: " ")
    }

    private var hidden: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.folder["plugins"])) ?? []
      return names.filter { $0.hasPrefix(".version") }
    }

    @Test func aKilledUpgradeIsCompletedOrUndone() throws {
      let (old, new) = (try write("1"), try write("2"))
      try install(old)
      var states: Set<String> = []
      let deaths = try dieEverywhere(["plugin", "install", new, "--yes"]) { died in
        states.insert(try state())
        guard died else { return }
        try install(new)
        #expect(try state() == "ready 2 1" && hidden.count == 1)
        #expect(try home.run("plugin", "rollback", "try", "--yes").status == 0)
        #expect(try state() == "ready 1" && hidden == [])
      }
      #expect(deaths > 10)
      #expect(states == ["ready 1", "ready 2 1"])
    }

    @Test func aKilledRollbackIsCompletedOrUndone() throws {
      try install(write("1"), write("2"))
      var states: Set<String> = []
      let deaths = try dieEverywhere(["plugin", "rollback", "try", "--yes"]) { died in
        states.insert(try state())
        guard died, try state() == "ready 2 1" else { return }
        #expect(try home.run("plugin", "rollback", "try", "--yes").status == 0)
        #expect(try state() == "ready 1")
      }
      #expect(deaths > 3)
      #expect(states == ["ready 1", "ready 2 1"])
    }

    @Test func aKilledRemovalIsCompletedOrUndone() throws {
      try install(write("1"), write("2"))
      var states: Set<String> = []
      let deaths = try dieEverywhere(["plugin", "remove", "try", "--yes"]) { died in
        states.insert(try state())
        guard try died && state() != "" else { return #expect(hidden == []) }
        #expect(try home.run("plugin", "remove", "try", "--yes").status == 0)
        #expect(try state() == "" && hidden == [])
      }
      #expect(deaths > 3)
      #expect(states == ["", "ready 2 1"])
    }

    /// A link that is replaced by one to another folder, and a link that is removed.
    @Test func aKilledLinkIsCompletedOrUndone() throws {
      let (old, new) = (try write("1"), try write("2"))
      #expect(try home.run("plugin", "link", old, "--yes").status == 0)
      var states: Set<String> = []
      _ = try dieEverywhere(["plugin", "link", new, "--yes"]) { _ in states.insert(try state()) }
      #expect(states == ["linked 1", "linked 2"])
      states = []
      _ = try dieEverywhere(["plugin", "unlink", "try", "--yes"]) { _ in states.insert(try state()) }
      #expect(states == ["linked 2", ""])
    }
  }
#endif
