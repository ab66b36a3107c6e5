import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The sandbox as a server for other programs: what curl and Python receive, and how it shuts down.
@Suite struct SandboxServerTests {
  private func curl(_ words: String...) throws -> Tool.Outcome {
    try Tool.required("curl").run(["--silent", "--show-error", "--max-time", "600"] + words, in: ScratchFolder())
  }

  @Test(.enabled(if: Tool.isInstalled("curl"), "skipped: needs curl")) func servesCurl() throws {
    let server = try SandboxServer()
    let token = try #require(server.environment["IFTTT_USER_TOKEN"])
    let path = "\(server.url)/v2/connections/Kd7Rn2Qx"
    let shown = try curl("--fail", "-H", "Authorization: Bearer \(token)", path)
    #expect(shown.status == 0 && shown.output.contains(#""user_status":"enabled""#), "\(shown.errors)")
    let off = try curl("--fail", "-X", "POST", "-H", "Authorization: Bearer \(token)", "\(path)/disable")
    #expect(off.output.contains(#""user_status":"disabled""#))
    let head = try curl("--head", path)
    #expect(head.output.contains("Content-Length: \(try curl(path).output.utf8.count)\r\n"))
    let rebound = try curl("-H", "Host: evil.test", "--write-out", "%{http_code}", "-o", "/dev/null", path)
    #expect(rebound.output == "421")
  }

  /// The command that `sandbox start` suggests on a terminal, pasted into another one.
  @Test func theSuggestedCommandListsApplets() throws {
    let server = try SandboxServer()
    let script = #"eval "$("$0" sandbox env)" && "$0" applets fetch"#
    let pasted = try Running(["bash", "-c", script, Home.program], environment: server.home.environment)
    #expect(pasted.readToEnd().contains("Lamps on at dusk"))
    pasted.wait()
  }

  /// A user takes no memory until a change.
  @Test func aMillionUsersNeedNoMemory() throws {
    let server = try SandboxServer("--users", "1000000")
    let environment = server.environment.merging(["IFTTT_USER_ID": "u-1000000"]) { $1 }.filter {
      $0.key != "IFTTT_USER_TOKEN"
    }
    let user = Home(nil, environment)
    let status = [
      "connections", "show", "Kd7Rn2Qx", "-o", "tsv", "--no-header", "--fields", "status",
    ]
    #expect(try user.run(status + ["--as", "service"]).text == "enabled\n")
    let exchange = try user.run(
      ["token", "exchange", "--json"], ["IFTTT_ACCESS_TOKEN": "sandbox-access-token-1000000"])
    #expect(exchange.status == 0, "\(exchange.errors)")
    let off = try user.run("connections", "disable", "Kd7Rn2Qx")
    #expect(off.status == 0, "\(off.errors)")
    #expect(try user.run(status + ["--as", "service"]).text == "disabled\n")
    #expect(try user.run(status + ["--as", "service"], ["IFTTT_USER_ID": "u-0999999"]).text == "enabled\n")

    let script = #""$0" sandbox users --tokens | head -n 3000 | tail -n 1; echo "${PIPESTATUS[0]}""#
    let cut = try Running(["bash", "-c", script, Home.program], environment: server.home.environment)
    let last = #"{"user_id":"u-0002998","access_token":"sandbox-access-token-0002998"}"#
    #expect(cut.readToEnd() == last + "\n0\n")
    cut.wait()
    #if os(Linux)
      let other = try SandboxServer()
      #expect(try user.run(status, other.environment).status == 0)
      let peaks = try [server, other].map { try Self.peak(of: $0.running.id) }
      // The address sanitizer keeps freed memory.
      if Sanitizer.active != .address { #expect(peaks[0] < peaks[1] + 16_384, "\(peaks) KiB") }
    #endif
  }

  /// The peak memory of a running process, in KiB.
  private static func peak(of id: pid_t) throws -> Int {
    let text = try String(contentsOfFile: "/proc/\(id)/status", encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(Int(line.split(separator: " ")[1]))
  }

  @Test func followsRequestsAsTheyArrive() throws {
    let server = try SandboxServer()
    let user = server.user()
    #expect(try user.run("connections", "show", "Kd7Rn2Qx").status == 0)
    let words = ["sandbox", "requests", "--follow", "--fields", "method,path"]
    let first = #"{"method":"GET","path":"/v2/connections/Kd7Rn2Qx"}"# + "\n"
    let following = try server.home.start(words)
    #expect(following.read(until: "\n") == first)
    #expect(try user.run("token", "verify").status == 0)
    #expect(following.read(until: "\n") == #"{"method":"GET","path":"/v2/me"}"# + "\n")
    following.signal(SIGINT)
    #expect(following.wait() == 130)

    let script = #""$0" "$@" | head -n 1; echo "${PIPESTATUS[0]}""#
    let cut = try Running(["bash", "-c", script, Home.program] + words, environment: server.home.environment)
    #expect(cut.readToEnd() == first + "0\n")
    cut.wait()

    let orphan = try server.home.start(words)
    orphan.read(until: "\n")
    server.running.signal(SIGTERM)
    #expect(orphan.wait() == 3, "the server is gone")
  }

  @Test func oneOfSeveralServersIsStopped() throws {
    let first = try SandboxServer()
    let second = try first.home.start(["sandbox", "start", "--json"])
    let url = try #require(
      second.read(until: "\n").split(separator: "\"").map(String.init).first { $0.hasPrefix("http") })
    let ambiguous = try first.home.run("sandbox", "stop")
    #expect(ambiguous.status == 2 && ambiguous.errors.contains(url) && ambiguous.errors.contains(first.url))
    let listed = try first.home.run("sandbox", "status", "--fields", "url", "-o", "tsv", "--no-header").text
    #expect(Set(listed.split(separator: "\n").map(String.init)) == [url, first.url])
    let stopped = try first.home.run("sandbox", "stop", "--url", url)
    #expect(stopped.status == 0, "\(stopped.errors)")
    #expect(second.wait() == 0, "the server ends as after Ctrl-C")
    #expect(
      try first.home.run("sandbox", "status", "-o", "tsv", "--no-header", "--fields", "url").text == first.url + "\n")
  }

  @Test(.enabled(if: Tool.isInstalled("curl") && Tool.isInstalled("jq"), "skipped: needs curl and jq"))
  func curlControlsTheServer() throws {
    let server = try SandboxServer()
    let script = """
      set -eu
      key=$(jq -r .key "$2")
      control() { curl --silent --fail -H "Authorization: Bearer $key" "$@"; }
      control -X PUT -d '{"faults":["status=503,times=1"]}' "$1/.sandbox/faults" >/dev/null
      curl --silent -o /dev/null -w '%{http_code}\\n' "$1/v2/me"
      curl --silent -o /dev/null -w '%{http_code}\\n' "$1/v2/me"
      control "$1/.sandbox/requests?status=503" | jq -r '.[].fault'
      control -X POST "$1/.sandbox/reset"
      """
    let outcome = try Tool.required("bash").run(
      ["-c", script, "bash", server.url, server.controlFile], in: ScratchFolder())
    #expect(outcome.output == "503\n200\nstatus=503\n{\"reset\":true}", "\(outcome.errors)")
  }

  @Test(.enabled(if: Tool.isInstalled("python3"), "skipped: needs python3")) func servesPythonOverOneConnection()
    throws
  {
    let server = try SandboxServer("--connections", "100")
    let script = """
      import http.client, json, sys, os
      connection = http.client.HTTPConnection("127.0.0.1", int(sys.argv[1]))
      connection.connect()
      socket = connection.sock
      for number in range(1, 101):
          connection.request("GET", "/v2/connections/L%07d" % number, headers={"Authorization": "Bearer " + sys.argv[2]})
          answer = connection.getresponse()
          body = json.loads(answer.read())
          assert answer.status == 200 and body["user_status"] == ("disabled" if number % 2 else "enabled"), body
          assert connection.sock is socket, "the connection was not kept"
      print("good")
      """
    let port = try #require(server.url.split(separator: ":").last.map(String.init))
    let outcome = try Tool.required("python3").run(
      ["-c", script, port, server.environment["IFTTT_USER_TOKEN"] ?? ""], in: ScratchFolder())
    #expect(outcome.output == "good\n", "\(outcome.errors)")
  }

  @Test(arguments: [SIGTERM, SIGINT]) func aSignalLetsRequestsInFlightFinish(_ signal: Int32) throws {
    let server = try SandboxServer("--fault", "latency=300ms")
    let user = server.user()
    let asked = try user.start(["connections", "show", "Kd7Rn2Qx", "--json", "--fields", "id"])
    try waitUntil(!server.requests().isEmpty)
    server.running.signal(signal)
    #expect(server.running.wait() == 0)
    #expect(asked.readToEnd() == "{\"id\":\"Kd7Rn2Qx\"}\n")
    #expect(asked.wait() == 0)
    #expect(!FileManager.default.fileExists(atPath: server.controlFile))
  }

  @Test func aSecondSignalEndsTheServerImmediately() throws {
    let server = try SandboxServer("--fault", "latency=1h")
    let asked = try server.user().start(["connections", "show", "Kd7Rn2Qx", "--retries", "0"])
    try waitUntil(!server.requests().isEmpty, pause: 50_000)
    server.running.signal(SIGINT)
    while server.running.isUnderWay {
      // Repeat until the second signal is noticed, because two simultaneous signals count as one.
      server.running.signal(SIGINT)
      usleep(1000)
    }
    #expect([0, -SIGINT].contains(server.running.wait()))
    #expect(asked.wait() == 5)
    #expect(try server.home.run("sandbox", "reset").status == 3)
  }

  @Test func theLogMasksCredentials() throws {
    let server = try SandboxServer("-v")
    let user = server.user()
    #expect(try user.run("token", "exchange").status == 0)
    server.running.signal(SIGTERM)
    let log = server.running.readToEnd(server.running.errors)
    #expect(log.contains("POST /v2/user_token?user_id=u-5521&access_token=… 200 "), "\(log)")
    #expect(!log.contains("at_7f20c1"))
  }

  @Test func distinguishesTwoServers() throws {
    let first = try SandboxServer()
    let host = IPv6.isThere ? "::1" : "127.0.0.1"
    let second = try first.home.start(["sandbox", "start", "--host", host, "--json"])
    let line = second.read(until: "\n")
    let url = try #require(
      (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["url"] as? String)
    #expect(url.hasPrefix(IPv6.isThere ? "http://[::1]:" : "http://127.0.0.1:"))
    #expect(try first.home.run("sandbox", "reset").status == 2)
    #expect(try first.home.run("sandbox", "reset", "--url", url).status == 0)
    second.signal(SIGTERM)
    #expect(second.wait() == 0)
    #expect(try first.home.run("sandbox", "reset").status == 0)
  }
}
