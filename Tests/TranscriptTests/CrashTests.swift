#if os(Linux)
  import Foundation
  import Support
  import Testing

  /// `kill -9` before each change that `store rekey`, `restore` and `backup` make to a file. Whenever it strikes, the
  /// store opens with either its old or its new contents, and the command can be run again.
  @Suite(.enabled(if: Tool.isInstalled("cc") || Tool.isInstalled("clang"), "skipped: needs cc or clang"))
  struct CrashTests {
    let home = Home()
    /// A preloaded library that kills the program at the step in `DIE_AT`.
    let preload: String
    let folder: ScratchFolder

    init() throws {
      folder = try ScratchFolder()
      preload = folder.path + "/die_at.so"
      let source = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/die_at.c").path
      let compiler = try Tool("cc") ?? Tool.required("clang")
      let outcome = try compiler.run(["-shared", "-fPIC", "-O1", "-o", preload, source, "-ldl"], in: folder)
      #expect(outcome.status == 0, "\(outcome.errors)")
      for user in ["ann", "bob"] {
        #expect(try set(user).status == 0)
      }
    }

    private func set(_ user: String) throws -> Home.Outcome {
      try home.run(["token", "set", "--user-id", user, "--user-token-file", "-"], input: Known.userToken + "\n")
    }

    /// Run the command from the same initial state until it completes, and kill it one step later each time.
    /// - Returns: The number of times it was killed.
    func dieEverywhere(
      _ words: [String], prepare: () throws -> Void = {}, after: (_ died: Bool) throws -> Void
    ) throws -> Int {
      let beginning = folder.path + "/beginning"
      try prepare()
      try FileManager.default.copyItem(atPath: home.folder.path, toPath: beginning)
      defer { try? FileManager.default.removeItem(atPath: beginning) }
      for step in 1...1000 {
        for name in try FileManager.default.contentsOfDirectory(atPath: home.folder.path) {
          try FileManager.default.removeItem(atPath: home.folder[name])
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: beginning) {
          try FileManager.default.copyItem(atPath: "\(beginning)/\(name)", toPath: home.folder[name])
        }
        let outcome = try home.run(
          words,
          ["LD_PRELOAD": preload, "DIE_AT": String(step), "LLVM_PROFILE_FILE": "/dev/null"])
        try after(outcome.status == -9)
        if outcome.status != -9 {
          #expect(outcome.status == 0, "\(outcome.errors)")
          return step - 1
        }
      }
      return 1000
    }

    private func expectOpen(_ users: [String] = ["ann", "bob"]) throws {
      for user in users {
        let shown = try home.run("token", "show", user, "--print")
        #expect(shown.text == Known.userToken + "\n", "\(shown.errors)")
      }
      let check = try home.run("store", "check")
      #expect(check.status == 0, "\(check.text)\(check.errors)")
    }

    private func expectNoLeftovers() {
      #expect(!home.folder.names.contains { $0.contains(".new-") }, "\(home.folder.names)")
    }

    @Test(arguments: [[], ["--key-file", "NEW"]]) func aKilledRekeyLeavesAUsableStore(_ options: [String]) throws {
      let options = options.map { $0 == "NEW" ? home.folder["my.key"] : $0 }
      let deaths = try dieEverywhere(["store", "rekey"] + options) { _ in
        try expectOpen()
        let keys = home.folder.names.filter { $0.hasSuffix(".key") }
        #expect((1...2).contains(keys.count), "\(keys)")
      }
      #expect(deaths > 10)
      #expect(home.folder.names.filter { $0.hasSuffix(".key") }.count == 1)
    }

    @Test(arguments: [false, true]) func aKilledRestoreLeavesAUsableStore(_ isDamaged: Bool) throws {
      let backup = folder.path + "/backup.db"
      #expect(try home.run("store", "backup", backup).status == 0)
      var reports: Set<String> = []
      let deaths = try dieEverywhere(
        ["store", "restore", backup, "--yes"],
        prepare: { () throws in
          #expect(try set("eve").status == 0)
          guard isDamaged else { return }
          home.folder.write("ifttt.db", String(repeating: "garbage ", count: 1000))
        },
        after: { died throws in
          let users = try home.run("token", "list", "-o", "tsv", "--no-header", "--fields", "user_id")
          if isDamaged, users.status == 7 {
            #expect(died)
            reports.insert("damaged")
          } else {
            reports.insert(users.text.split(separator: "\n").joined(separator: " "))
            try expectOpen()
          }
          guard died else { return }
          // The command can be run again.
          let again = try home.run("store", "restore", backup, "--yes")
          #expect(again.status == 0, "\(again.errors)")
          try expectOpen()
          expectNoLeftovers()
        })
      #expect(deaths > 10)
      #expect(reports == (isDamaged ? ["damaged", "ann bob"] : ["ann bob eve", "ann bob"]))
    }

    @Test func aKilledBackupLeavesAUsableStore() throws {
      let backup = home.folder["b.db"]
      let deaths = try dieEverywhere(["store", "backup", backup]) { died in
        try expectOpen()
        if FileManager.default.fileExists(atPath: backup) {
          #expect(try home.run("store", "restore", backup, "--yes").status == 0)
          try expectOpen()
        } else {
          #expect(died)
        }
        // The next backup to the file removes what was left beside it.
        let again = try home.run("store", "backup", backup, "--force")
        #expect(again.status == 0, "\(again.errors)")
        expectNoLeftovers()
      }
      #expect(deaths > 5)
    }
  }
#endif
