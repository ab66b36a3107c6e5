import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A stdout that is closed early, full or missing.
@Suite struct OutputTests {
  /// Listings, pages and generated text, in each format.
  static let commands: [[String]] =
    [
      ["connections", "list"], ["connections", "list", "--json"], ["connections", "list", "-o", "jsonl"],
      ["connections", "list", "-o", "csv"], ["connections", "list", "-o", "tsv"], ["connections", "show", "Kd7Rn2Qx"],
      ["connections", "show", "Kd7Rn2Qx", "--raw"], ["applets", "fetch"], ["api", "GET", "/v2/me"],
      ["token", "verify"],
      ["--help"], ["--version"], ["version"], ["help", "connections"], ["help", "--json"], ["schema"],
      ["schema", "connections-list"], ["man"], ["completion", "zsh"], ["store", "info"], ["profile", "list"],
      ["connections", "disable", "Kd7Rn2Qx", "--dry-run", "-q"],
      ["connections", "list", "--sort", "-id", "--limit", "3"],
    ] + (Tool.isInstalled("jq") ? filtered : [])
  private static let filtered = [
    ["connections", "list", "--jq", "."], ["connections", "list", "-o", "jsonl", "--jq", ".id"],
  ]
  let home = Home(nil, ["IFTTT_PROFILE": "sandbox"])

  @Test(.enabled(if: FileManager.default.fileExists(atPath: "/dev/full"), "needs /dev/full"), arguments: commands)
  func aFullDiskIsAFailure(_ words: [String]) throws {
    let outcome = try home.run(words, output: "/dev/full")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cannot write the output"))
    if words.contains("--json") { #expect(outcome.code == "output_failed") }
  }

  @Test(arguments: commands)
  func aClosedPipeIsNotAFailure(_ words: [String]) throws {
    let (read, write) = try closedOnExecPipe()
    close(read)
    defer { close(write) }
    let errors = TemporaryFolder()
    let path = errors.write("err", "")
    let all = [[UInt8]](([Home.program] + words).map { Array($0.utf8) })
    let id = try spawn(all, environment: home.environment) { actions in
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      posix_spawn_file_actions_adddup2(&actions, write, 1)
      posix_spawn_file_actions_addopen(&actions, 2, path, O_WRONLY, 0)
    }
    #expect(exitStatus(of: id) == 0)
    #expect(errors.text("err") == "")
  }

  @Test func aTruncatedListingPrintsNoError() throws {
    let script = #"{ "$0" connections list -o jsonl; echo "status $?" >&2; } | head -1"#
    let running = try Running(["/bin/sh", "-c", script, Home.program], environment: home.environment)
    #expect(running.readToEnd().split(separator: "\n").count == 1)
    #expect(running.readToEnd(running.errors) == "status 0\n")
    #expect(running.wait() == 0)
  }

  @Test(arguments: [["version"], ["connections", "list"], ["nonsense"]])
  func closedStreamsDoNotCrash(_ words: [String]) throws {
    for closing in [">&-", "2>&-", "<&-", "<&- >&- 2>&-"] {
      let script = #""$@" \#(closing)"#
      let running = try Running(
        ["/bin/sh", "-c", script, "sh", Home.program] + words, environment: home.environment)
      let status = running.wait()
      #expect([0, 1, 2].contains(status), "\(words) \(closing): \(status)")
      if closing.hasPrefix(">"), words != ["nonsense"] { #expect(status == 1) }
    }
    #expect(try home.isIntact())
  }
}
