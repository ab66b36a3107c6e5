#if canImport(Glibc)
  import Foundation
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
      private func run(_ script: String, readable: [String] = [], writable: [String] = [], listable: [String] = [])
        throws
        -> String
      {
        let program = try LiveProcesses(interruption: TestInterruption(), environment: [:]).start(
          ProgramStart(
            path: "/bin/sh", arguments: ["-c", script, "sh", folder.path], environment: ["PATH=/usr/bin:/bin"],
            confinement: Confinement(readable: system + readable, writable: writable, listable: listable)))
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

      @Test func aListableFolderIsNotRead() throws {
        let program = #"ls "$1/b"; cat "$1/b/list""#
        #expect(try run(program, listable: [folder["b"]]) == "list\n1")
        #expect(try run(#"echo x >"$1/b/list" || rm "$1/b/list" || touch "$1/b/new""#, listable: [folder["b"]]) == "1")
      }

      /// Even as root, which otherwise can read the memory of any process.
      @Test func otherProcessesAreOutOfReach() throws {
        let other = try ChildProgram(["sleep", "3600"], environment: ["SECRET": "top-secret"])
        defer {
          kill(other.id, SIGKILL)
          _ = other.wait()
        }
        let process = "/proc/\(other.id)"
        #expect(
          try run("cat \(process)/environ || cat \(process)/mem || ls \(process)/cwd", readable: ["/proc"]) == "2")
        #expect(try run("grep CapEff /proc/self/status", readable: ["/proc"]).hasSuffix("000000\(hasFileOverride)\n0"))
        // It can still end the processes that it started.
        #expect(try run("sleep 3600 & kill $! && wait $!; echo $?") == "143\n0")
        guard Confinement.version >= 6 else { return }
        #expect(try run("kill -0 \(other.id) || kill -KILL \(other.id) || kill -0 $PPID") == "1")
        #expect(kill(other.id, 0) == 0)
      }

      /// The last digit of the capabilities: root keeps CAP_DAC_OVERRIDE.
      private var hasFileOverride: Int { geteuid() == 0 ? 2 : 0 }

      @Test(.enabled(if: Confinement.version >= 6 && Tool.isInstalled("python3"), "skipped: needs Linux 6.12, python3"))
      func abstractSocketsOfOthersAreOutOfReach() throws {
        let name = "ifttt-test-\(getpid())-\(folder.path.split(separator: "/").last ?? "")"
        let script = """
          import socket, sys
          listener = socket.socket(socket.AF_UNIX); listener.bind("\\0\(name)"); listener.listen()
          print("ready", flush=True); sys.stdin.read()
          """
        let listener = try ChildProgram(["/usr/bin/python3", "-c", script], input: .pipe, output: .pipe)
        defer {
          listener.endInput()
          _ = listener.wait()
        }
        #expect(listener.output?.readData(ofLength: 6).count == 6)
        let connect = "import socket; socket.socket(socket.AF_UNIX).connect('\\0\(name)')"
        #expect(try Tool.required("python3").run(["-c", connect], in: ScratchFolder()).status == 0)
        #expect(try run("/usr/bin/python3 -c \"\(connect)\" 2>/dev/null") == "1")
      }

      @Test func noDescriptorOfTheRulesIsInherited() throws {
        #expect(try run("ls /proc/self/fd | wc -l", readable: ["/proc"]) == "4\n0")
      }
    }
  }
#endif
