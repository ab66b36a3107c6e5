import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The command of `service listen --exec`, which runs for each webhook even if the program is killed.
@Suite(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) struct WebhookCommandTests: ListenerTests {
  let home = Home()

  @Test func aCommandReceivesEachWebhook() throws {
    let (running, port) = try listen("--count", "2", "--exec", "sh", "--", "-c", "printf 'got '; cat; exit 3")
    #expect(try send("crowd", port, "2") == "{200: 2}")
    let lines = running.readToEnd().split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix(#"got {"id":""#) && $0.hasSuffix("}") })
    #expect(running.readToEnd(running.errors).contains("sh for webhook 2 (connection/enabled) exited with status 3"))
    #expect(running.wait() == 0)
  }

  /// The program for a command that reports the user id of its webhook on a file, and waits until a file exists.
  private func blocking(_ marks: String, until file: String) -> [String] {
    let script = #"IFS= read -r line; printf '%s\n' "${line#*user_id\":\"}" | cut -d'"' -f1 >> "$1"; "#
    return ["--exec", "sh", "--", "-c", script + #"while ! test -e "$2"; do sleep 0.02; done"#, "sh", marks, file]
  }

  private func lines(_ file: String) -> [String] {
    (home.workplace.text(file) ?? "").split(separator: "\n").map(String.init)
  }

  private func states(_ fields: String = "user_id,exec") throws -> [String] {
    let listing = try home.run("service", "events", "list", "--fields", fields, "-o", "tsv", "--no-header")
    return listing.text.split(separator: "\n").map { $0.replacingOccurrences(of: "\t", with: " ") }
  }

  /// Sends one webhook after the other, so that their order is known.
  private func sendInOrder(_ users: [String], to port: String) throws {
    for user in users { #expect(try send("one", port, user) == "200") }
  }

  @Test func commandsSurviveKill9() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b", "c"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    running.signal(SIGKILL)
    #expect(running.wait() == -SIGKILL)
    #expect(try states() == ["a waiting", "b waiting", "c waiting"])
    // The command of the killed program is still running, and never ends by itself.
    home.workplace.write("go", "")
    let (second, otherPort) = try listen(["--count", "1"] + blocking(marks, until: file))
    #expect(try send("one", otherPort, "d") == "200")
    #expect(second.wait() == 0)
    #expect(lines("marks") == ["a", "a", "b", "c", "d"], "in order, and the new one alone counts")
    #expect(
      second.readToEnd(second.errors).contains("The command runs for 3 webhooks from earlier runs first."))
    #expect(try states() == ["a succeeded", "b succeeded", "c succeeded", "d succeeded"])
    let third = try home.run("service", "listen", "--port", "0", "--timeout", "10ms", "--exec", "false")
    #expect(third.status == 0 && !third.errors.contains("earlier"))
  }

  @Test func theFilterSelectsAmongEarlierWebhooksToo() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(
      running.readToEnd(running.errors).contains(
        "The command did not run for 2 webhooks. The next 'service listen --exec' starts with them."))
    home.workplace.write("go", "")
    let filtered = try home.run(
      "service", "listen", "--port", "0", "--for", "fired", "--timeout", "10ms", "--exec", "cat")
    #expect(filtered.status == 8 && filtered.text == "")
    #expect(try states() == ["a waiting", "b waiting"])
    let rest = try home.start(["service", "listen", "--port", "0", "--timeout", "1h"] + blocking(marks, until: file))
    try waitUntil(states() == ["a succeeded", "b succeeded"], pause: 50_000)
    rest.signal(SIGTERM)
    #expect(rest.wait() == 0)
  }

  @Test func aFailedCommandDoesNotRunAgain() throws {
    let (running, port) = try listen("--count", "1", "--exec", "sh", "--", "-c", "exit 3")
    #expect(try send("one", port, "a") == "200")
    #expect(running.wait() == 0)
    #expect(try states("exec") == ["failed"])
    let shown = try home.run("service", "events", "show", "1", "--fields", "exec,exec_status", "--json")
    #expect(shown.text == #"{"exec":"failed","exec_status":3}"# + "\n")
    let program = home.workplace.write("missing", "#!/bin/sh\n", mode: 0o700)
    let (missing, otherPort) = try listen("--count", "1", "--exec", program)
    #expect(unlink(program) == 0)
    #expect(try send("one", otherPort, "b") == "200")
    #expect(missing.wait() == 0)
    #expect(missing.readToEnd(missing.errors).contains("did not run"))
    #expect(try states("exec") == ["failed", "waiting"])
  }

  /// The first webhook may be hours away.
  @Test(arguments: [
    ["service", "listen", "--port", "0"], ["--profile", "sandbox", "connections", "watch", "Kd7Rn2Qx"],
  ])
  func theCommandIsFoundAtTheStart(_ command: [String]) throws {
    home.workplace.write("plain", "")
    for (program, reason) in [
      ("no-such-program", "No such file or directory"), ("./missing", "No such file or directory"),
      ("./plain", "Permission denied"), ("./missing -x", "expected only the command"), ("..", "Permission denied"),
    ] {
      let outcome = try home.run(command + ["--timeout", "1h", "--exec", program])
      #expect(outcome.status == 2 && outcome.text == "")
      #expect(outcome.errors.contains("'\(program)' cannot be run") && outcome.errors.contains(reason), "\(outcome)")
    }
  }

  @Test func concurrentRunsRunTheirOwnCommands() throws {
    let (marks, file) = (home.workplace["marks"], home.workplace["go"])
    let (running, port) = try listen(blocking(marks, until: file))
    try sendInOrder(["a", "b"], to: port)
    while lines("marks") != ["a"] { usleep(10_000) }
    let (second, otherPort) = try listen("-v", "--count", "1", "--exec", "cat")
    #expect(try send("one", otherPort, "c") == "200")
    let output = second.readToEnd()
    #expect(output.contains(#""user_id":"c""#) && !output.contains(#""user_id":"b""#), "\(output)")
    #expect(second.wait() == 0)
    #expect(second.readToEnd(second.errors).contains("another 'service listen --exec' of this profile runs"))
    home.workplace.write("go", "")
    try waitUntil(states() == ["a succeeded", "b succeeded", "c succeeded"], pause: 50_000)
    running.signal(SIGTERM)
    #expect(running.wait() == 0)
    #expect(lines("marks") == ["a", "b"])
  }
}
