#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// `kill -9` before each change of a file that an upgrade or a rollback makes. What remains is the old version, the new
  /// one, or a plugin that is rejected; never one whose files are not those of its record.
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

    private func expectConsistent() throws {
      let list = try home.run("plugin", "list", "-o", "tsv", "--no-header", "--fields", "version,status").text
      let outcome = try home.run("try")
      if outcome.status == 0 {
        #expect(["1\n", "2\n"].contains(outcome.text))
        #expect(list == "\(outcome.text.dropLast())\tready\n")
      } else {
        #expect(outcome.status == 1 && outcome.text == "", "\(outcome.errors)")
        #expect(list.hasSuffix("\tchanged\n"), "\(list)")
      }
    }

    private var hidden: [String] {
      let names = (try? FileManager.default.contentsOfDirectory(atPath: home.folder["plugins"])) ?? []
      return names.filter { $0.hasPrefix(".version") }
    }

    @Test func aKilledUpgradeRunsNothingUnchecked() throws {
      let (old, new) = (try write("1"), try write("2"))
      #expect(try home.run("plugin", "install", old, "--yes").status == 0)
      let deaths = try dieEverywhere(["plugin", "install", new, "--yes"]) { died in
        try expectConsistent()
        guard died else { return }
        #expect(try home.run("plugin", "install", new, "--yes").status == 0)
        #expect(try home.run("try").text == "2\n")
        #expect(hidden.count <= 1)
      }
      #expect(deaths > 10)
    }

    @Test func aKilledRollbackRunsNothingUnchecked() throws {
      let (old, new) = (try write("1"), try write("2"))
      for path in [old, new] { #expect(try home.run("plugin", "install", path, "--yes").status == 0) }
      let deaths = try dieEverywhere(["plugin", "rollback", "try", "--yes"]) { died in
        try expectConsistent()
        guard died else { return }
        #expect(try home.run("plugin", "install", old, "--yes").status == 0)
        #expect(try home.run("try").text == "1\n")
      }
      #expect(deaths > 3)
      #expect(try home.run("try").text == "1\n")
    }
  }
#endif
