#if canImport(Glibc)
  import Glibc
  import Support
  import Testing
  import World

  extension LiveTests {
    /// Programs that may open only some files. Where the system has no Landlock, nothing can be tested.
    @Suite(.enabled(if: LiveProcesses(interruption: TestInterruption(), environment: [:]).confines))
    struct ConfinementTests {
      private let folder = TemporaryFolder()
      private let system = ["/bin", "/usr", "/lib", "/lib64", "/etc"]

      /// Runs a shell script and returns its output with its status.
      private func run(_ script: String, readable: [String] = [], writable: [String] = []) throws -> String {
        let program = try LiveProcesses(interruption: TestInterruption(), environment: [:]).start(
          ProgramStart(
            path: "/bin/sh", arguments: ["-c", script, "sh", folder.path], environment: ["PATH=/usr/bin:/bin"],
            confinement: Confinement(readable: system + readable, writable: writable)))
        var output: [UInt8] = []
        while true {
          switch try program.next(atMost: .seconds(3600), noticesInterruption: true) {
          case .output(let bytes): output += bytes
          case .ended(let status): return String(decoding: output, as: UTF8.self) + "\(status)"
          default: continue
          }
        }
      }

      init() {
        signal(SIGPIPE, SIG_IGN)
        for name in ["a", "b"] { mkdir(folder[name], 0o700) }
        folder.write("a/secret", "top")
        folder.write("b/list", "open")
      }

      @Test func onlyReadableFilesAreRead() throws {
        let script = #"cat "$1/b/list"; cat "$1/a/secret" || ls "$1" || ls "$1/a""#
        #expect(try run(script, readable: [folder["b"]]) == "open2")
        #expect(try run(script, readable: [folder["b/list"]]) == "open2")
        #expect(try run(script, readable: [folder.path]) == "opentop0")
      }

      @Test func aLinkIsNoWayAround() throws {
        symlink(folder["a/secret"], folder["b/link"])
        #expect(try run(#"cat "$1/b/link""#, readable: [folder["b"]]) == "1")
        #expect(
          try run(#"ln "$1/a/secret" "$1/b/other" || mv "$1/a/secret" "$1/b/other""#, writable: [folder["b"]]) == "1")
      }

      @Test func onlyWritableFilesAreChanged() throws {
        let script =
          #"(echo x >"$1/b/list") && echo changed; (echo x >"$1/b/new") && rm "$1/b/list" && mkdir "$1/b/c" && mv "$1/b/new" "$1/b/c" && echo made"#
        #expect(try run(script, readable: [folder["b"]]) == "2")
        #expect(folder.text("b/list") == "open")
        #expect(try run(script, writable: [folder["b"]]) == "changed\nmade\n0")
      }

      @Test func whatIsWrittenIsNotExecuted() throws {
        let script = #"printf '#!/bin/sh\necho run\n' >"$1/b/x"; chmod +x "$1/b/x"; "$1/b/x""#
        #expect(try run(script, writable: [folder["b"]]) == "126")
        #expect(try run(script, readable: [folder["b"]], writable: [folder["b"]]) == "run\n0")
      }

      @Test func descendantsAreConfinedToo() throws {
        let script = #"sh -c "cat '$1/a/secret'" & wait $!; setsid cat "$1/a/secret"; (cat "$1/a/secret")"#
        #expect(try run(script, readable: [folder["b"]]) == "1")
      }

      @Test func missingPathsAreSkipped() throws {
        #expect(
          try run("echo ok", readable: [folder["none"], folder["b/list/x"]], writable: [folder["none"]]) == "ok\n0")
      }

      @Test func devicesStayUsable() throws {
        #expect(try run("echo x >/dev/null && head -c 1 /dev/urandom | wc -c") == "1\n0")
      }

      @Test func noDescriptorOfTheRulesIsInherited() throws {
        #expect(try run("ls /proc/self/fd | wc -l", readable: ["/proc"]) == "4\n0")
      }
    }
  }
#endif
