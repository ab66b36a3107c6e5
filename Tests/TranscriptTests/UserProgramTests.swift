import Foundation
import Support
import Testing

/// Runs of the program for many users, against a server that records when each request arrives.
@Suite struct UserProgramTests {
  let server: UsersServer
  let home: Home

  init() throws {
    server = try UsersServer()
    home = Home(nil, server.environment)
  }

  private func file(_ users: [String], tokens: Bool = false) -> String {
    home.workplace.write(
      "users.jsonl",
      users.map { tokens ? #"{"user_id":"\#($0)","access_token":"at_\#($0)_c0ffee"}"# : #"{"user_id":"\#($0)"}"# }
        .joined(separator: "\n"))
  }

  private func users(in outcome: Home.Outcome) throws -> [String] {
    try outcome.text.split(separator: "\n").map { line in
      let row = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
      return try #require(row["user_id"] as? String)
    }
  }

  private func show(_ words: String..., input: String? = nil) throws -> Home.Outcome {
    try home.run(["connections", "show", "Kd7Rn2Qx", "-o", "jsonl"] + words, input: input)
  }

  /// What counts is when requests arrive at the server, whatever their latency and its jitter are.
  @Test func noSecondHasMoreRequestsThanTheRate() throws {
    let names = (0..<56).map { "u-\($0)" } + ["flaky-1", "flaky-2"]
    let outcome = try show("--users", file(names), "--rate", "20/s", "--jobs", "64")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let times = try server.arrivals().map(\.seconds).sorted()
    #expect(times.count == 60, "retries count too")
    for (first, last) in zip(times, times.dropFirst(20)) { #expect(last - first >= 1) }
  }

  /// With a rate, the server's Retry-After concerns all requests.
  @Test func a429PausesAllRequests() throws {
    let names = (0..<30).map { "u-\($0)" } + ["limited-1"] + (30..<60).map { "u-\($0)" }
    let outcome = try show("--users", file(names), "--rate", "1000/s", "--jobs", "1")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let arrivals = try server.arrivals()
    let limited = arrivals.indices.filter { arrivals[$0].user == "limited-1" }
    #expect(limited.count == 2)
    let next = try #require(arrivals.indices.first { $0 > limited[0] })
    #expect(arrivals[next].seconds - arrivals[limited[0]].seconds >= 2)
    #expect(Set(try users(in: outcome)) == Set(names))
  }

  @Test func oneRejectedUserDoesNotStopTheOthers() throws {
    let names = ["denied-1"] + (0..<40).map { "u-\($0)" }
    let outcome = try show("--users", file(names), "--jobs", "1")
    #expect(outcome.status == 6)
    #expect(try users(in: outcome) == Array(names.dropFirst()))
    #expect(outcome.code == "partial" && outcome.errors.contains("1 of 41 failed"))
  }

  /// A wrong service key is rejected for every user, so that the run ends.
  @Test func aRejectedKeyEndsTheRun() throws {
    home.environment["IFTTT_SERVICE_KEY"] = "wrong"
    let outcome = try show("--users", file((0..<500).map { "u-\($0)" }), "--jobs", "1")
    #expect(outcome.status == 4 && outcome.code == "unauthorized", "\(outcome.errors)")
    #expect(try server.arrivals().count == 10)
    #expect(outcome.errors.contains("10 of 500 failed, 490 were skipped"))
  }

  @Test func anUnreachableServerEndsTheRun() throws {
    home.environment["IFTTT_CONNECT_URL"] = "http://127.0.0.1:1"
    let report = home.workplace.write("summary.json", "")
    let outcome = try show(
      "--users", file((0..<500).map { "u-\($0)" }), "--jobs", "1", "--retries", "0", "--report", "summary=\(report)")
    #expect(outcome.status == 5, "\(outcome.errors)")
    let summary = try #require(
      JSONSerialization.jsonObject(with: Data((home.workplace.text("summary.json") ?? "").utf8)) as? [String: Any])
    #expect(summary["total"] as? Int == 500 && summary["failed"] as? Int == 1 && summary["skipped"] as? Int == 499)
  }

  /// A slow user delays the output, but not the requests of the others.
  @Test func resultsCanHaveTheOrderOfTheFile() throws {
    let names = ["slow-1"] + (0..<200).map { "u-\($0)" }
    let outcome = try show("--users", file(names), "--ordered")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try users(in: outcome) == names)
    let unordered = try show("--users", file(names.map { $0 + "b" }))
    #expect(try users(in: unordered).first != "slow-1b")
    #expect(Set(try users(in: unordered)) == Set(names.map { $0 + "b" }))
  }

  @Test func failuresAreReportedInTheOrderOfTheFile() throws {
    let names = ["slow-denied-1"] + (0..<100).map { "u-\($0)" } + ["denied-2"] + (100..<110).map { "u-\($0)" }
    let outcome = try show("--users", file(names.map { $0 == "u-3" ? "denied-0" : $0 }))
    #expect(outcome.status == 6)
    let error = try #require(JSONSerialization.jsonObject(with: Data(outcome.errors.utf8)) as? [String: Any])
    let details = (error["error"] as? [String: Any])?["details"] as? [[String: Any]]
    #expect(details?.compactMap { $0["parameter"] as? String } == ["slow-denied-1", "denied-0", "denied-2"])
  }

  /// Users come through a pipe that stays open, and each result is printed as it arrives. The sandbox responds within the
  /// program, and must wait for the pipe like the network.
  @Test(arguments: [[], ["--profile", "sandbox"]]) func usersAreReadAsTheyArrive(_ options: [String]) throws {
    let home = options.isEmpty ? home : Home()
    let running = try home.start(
      options + ["connections", "show", "Kd7Rn2Qx", "--users", "-", "-o", "jsonl", "--fields", "user_id"])
    for name in ["a", "b", "c"] {
      running.type("{\"user_id\":\"\(name)\"}\n")
      #expect(running.read(until: "\n") == "{\"user_id\":\"\(name)\"}\n")
    }
    running.endInput()
    #expect(running.wait() == 0)
  }

  @Test func shardsCoverEachUserOnce() throws {
    let names = (0..<60).map { "u-\($0)" }
    let path = file(names)
    var found: [String] = []
    for number in 1...3 {
      let outcome = try show("--users", path, "--shard", "\(number)/3", "--report", "summary=\(number).json")
      #expect(outcome.status == 0)
      found += try users(in: outcome)
      if number == 2 {
        let partial = try home.run(["report", "merge", "1.json", "2.json", "--json"])
        #expect(partial.status == 6 && partial.errors.contains("shard 3/3"), "\(partial.errors)")
      }
    }
    #expect(found.sorted() == names.sorted())
    let merged = try home.run([
      "report", "merge", "1.json", "2.json", "3.json", "--json", "--fields", "total,succeeded",
    ])
    #expect(merged.status == 0)
    #expect(merged.text == "{\"total\":60,\"succeeded\":60}\n")
  }

  // MARK: Exchange

  private func exchanged(_ names: [String], _ words: String...) throws -> Home.Outcome {
    try home.run(["token", "exchange", "--users", file(names, tokens: true), "-o", "jsonl"] + words)
  }

  @Test func tokensAreStoredAndNeverShown() throws {
    let names = (0..<600).map { "u-\($0)" } + ["denied-1"]
    let folder = home.workplace.path + "/recording"
    let outcome = try exchanged(
      names, "-v", "--record", folder, "--report", "junit=report.xml", "--report", "summary=summary.json")
    #expect(outcome.status == 6, "\(outcome.errors.suffix(300))")
    #expect(Set(try users(in: outcome)) == Set(names.dropLast()))
    var texts = [outcome.text, outcome.errors]
    let files = FileManager.default.enumerator(atPath: home.workplace.path)?.compactMap { $0 as? String } ?? []
    for name in files where name != "users.jsonl" { texts.append(home.workplace.text(name) ?? "") }
    #expect(files.count > 600)
    for text in texts {
      #expect(!text.contains("c0ffee") && !text.contains("_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga"))
    }
    let tokens = try home.run(["token", "show", "--print", "u-599"])
    #expect(tokens.text == "ut_u-599_Qx7Lm2Vd9Rk4Tz8Wn3Bp6Hs1Yc5Jf0Ga\n")
    #expect(try home.isIntact())
    // The stored tokens are used with --as user.
    let shown = try show("--users", file(["u-1", "u-599", "u-600"]), "--as", "user")
    #expect(shown.status == 6)
    #expect(Set(try users(in: shown)) == ["u-1", "u-599"])
  }

  /// What was received before Ctrl-C is stored.
  @Test func anInterruptionLosesNoToken() throws {
    let path = file(["u-1", "u-2", "slow-3"], tokens: true)
    let running = try home.start(["token", "exchange", "--users", path, "-v", "-o", "jsonl"])
    for _ in 0..<2 { running.read(until: "200", from: running.errors) }
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(try home.run(["token", "list", "-o", "tsv", "--fields", "user_id", "--no-header"]).text == "u-1\nu-2\n")
  }

  // MARK: Memory

  /// The largest resident size of a run over a number of users, in kilobytes.
  private func peak(_ count: Int, _ words: String...) throws -> Int {
    let path = file((0..<count).map { "u-\($0)" })
    let script = """
      import resource, subprocess, sys
      status = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(status, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    let running = try Running(
      [
        "/usr/bin/env", "python3", "-c", script, Home.program, "connections", "show", "Kd7Rn2Qx", "--users", path,
        "-o", "jsonl",
      ] + words, environment: home.environment)
    let numbers = running.readToEnd().split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    running.wait()
    #expect(numbers.first == 0)
    return try #require(numbers.last)
  }

  @Test(.disabled(if: Sanitizer.active == .address, "skipped: the address sanitizer keeps freed memory"))
  func memoryDoesNotGrowWithTheUsers() throws {
    let few = try peak(1000, "--report", "junit=\(home.workplace.path)/few.xml")
    let many = try peak(20_000, "--report", "junit=\(home.workplace.path)/many.xml", "--ordered")
    #expect(Double(many) <= 1.5 * Double(few), "\(few) and \(many) kB")
    #expect(home.workplace.text("many.xml")?.contains("tests=\"20000\"") == true)
  }
}
