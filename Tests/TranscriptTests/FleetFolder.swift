import Foundation
import Session
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A sandbox server with many users, a file of these users, and a folder for the results of shards, with the built
/// program on PATH.
final class FleetFolder {
  let server: SandboxServer
  let folder = TemporaryFolder()
  let users: [String]
  var results: String { folder["results"] }
  let environment: [String: String]

  /// - Parameters:
  ///   - generated: the number of users in addition to the two of the fixtures.
  ///   - large: the only one of four shards whose users are all in the file, which has 50 of each other shard; nil for
  ///     a file with all users.
  init(generated: Int, onlyLargeShard large: Int? = nil) throws {
    server = try SandboxServer("--users", "\(generated)")
    let list = try server.home.run(["sandbox", "users"], output: folder.write("users.jsonl", ""))
    try #require(list.status == 0, "\(list.errors)")
    var users = try Self.users(in: folder["users.jsonl"])
    try #require(users.count == generated + 2)
    if let large {
      let lines = try #require(folder.text("users.jsonl")).split(separator: "\n")
      var counts: [Int: Int] = [:]
      let kept = zip(lines, users).filter { _, user in
        let shard = Shard.number(of: user, among: 4)
        counts[shard, default: 0] += 1
        return shard == large || counts[shard, default: 0] <= 50
      }
      folder.write("users.jsonl", kept.map { "\($0.0)\n" }.joined())
      users = kept.map { $0.1 }
    }
    self.users = users
    for name in ["results", "bin"] {
      try FileManager.default.createDirectory(atPath: folder[name], withIntermediateDirectories: false)
    }
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment = server.user().environment.merging([
      "PATH": "\(folder["bin"]):\(path)", "HOME": folder.path, "IFTTT_HOME": folder["home"],
    ]) { $1 }
    try FileManager.default.createSymbolicLink(atPath: folder["bin/ifttt"], withDestinationPath: Home.program)
  }

  /// Replace the program such that its first run for one shard is killed after 100 rows, when it cannot have finished:
  /// it waits for its reader once the pipe is full.
  func killOnce(shard: Int) throws {
    try FileManager.default.removeItem(atPath: folder["bin/ifttt"])
    let script = """
      #!/usr/bin/env bash
      set -u
      if [ "$1" = connections ] && [ "${PARALLEL_SEQ:-${SLURM_ARRAY_TASK_ID:-}}" = \(shard) ] && mkdir killed 2>/dev/null; then
        mkfifo rows
        '\(Home.program)' "$@" >rows &
        worker=$!
        exec 3<rows
        for ((count = 0; count < 100; count++)); do
          IFS= read -r row <&3 && printf '%s\\n' "$row"
        done
        kill -9 "$worker"
        wait "$worker"
        echo "$?" >killed/status
        kill -9 $$
      fi
      exec '\(Home.program)' "$@"
      """
    folder.write("bin/ifttt", script, mode: 0o700)
  }

  /// Whether a shard was killed midway: by the signal, with part of its results, and reported by
  /// the merge.
  func expectKilled(shard: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(folder.text("killed/status") == "137\n", sourceLocation: sourceLocation)
    let rows = try Self.users(in: "\(results)/shard-\(shard).jsonl")
    #expect(rows.count == 100, sourceLocation: sourceLocation)
    let merged = try merge()
    #expect(merged.status == 6, "\(merged.output)\(merged.errors)", sourceLocation: sourceLocation)
    #expect(merged.errors.contains("shard \(shard)/4"), "\(merged.errors)", sourceLocation: sourceLocation)
  }

  /// Check that the shards have each user once, in their results and in the merged summary.
  func expectComplete(shards: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: results).filter { $0.hasSuffix(".jsonl") }
    #expect(names.count == shards, sourceLocation: sourceLocation)
    let parts = try names.map { try Self.users(in: "\(results)/\($0)") }
    let found = parts.flatMap(\.self)
    // Thousands of ids would not help anyone who reads a failure.
    let isComplete = found.sorted() == users.sorted()
    #expect(
      isComplete, "\(found.count) rows of \(Set(found).count) users; there are \(users.count)",
      sourceLocation: sourceLocation)
    #expect(parts.allSatisfy { !$0.isEmpty }, sourceLocation: sourceLocation)
    let merged = try merge()
    #expect(merged.status == 0, "\(merged.errors)", sourceLocation: sourceLocation)
    let summary = try JSONSerialization.jsonObject(with: Data(merged.output.utf8)) as? [String: Any]
    #expect(summary?["total"] as? Int == users.count, "\(merged.output)", sourceLocation: sourceLocation)
    #expect(summary?["succeeded"] as? Int == users.count, "\(merged.output)", sourceLocation: sourceLocation)
  }

  private func merge() throws -> Tool.Outcome { try bash("ifttt report merge --json results/shard-*.json") }

  /// Run a script in the folder.
  func bash(_ script: String, _ more: [String: String] = [:]) throws -> Tool.Outcome {
    try run("bash", ["-ec", "cd '\(folder.path)'\n\(script)"], more)
  }

  func run(_ program: String, _ words: [String], _ more: [String: String] = [:]) throws -> Tool.Outcome {
    try Tool.required(program).run(words, in: ScratchFolder(), environment: environment.merging(more) { $1 })
  }

  private static func users(in file: String) throws -> [String] {
    try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").map { line in
      let row = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      return try #require(row?["user_id"] as? String, "\(line)")
    }
  }
}
