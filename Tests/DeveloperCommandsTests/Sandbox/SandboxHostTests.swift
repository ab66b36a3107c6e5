import Foundation
import HTTP
import JSON
import ProgramDriver
import Session
import Support
import Testing
import World

@testable import DeveloperCommands

/// A sandbox server for other machines and containers: its address, its key, and its commands from elsewhere.
@Suite struct SandboxHostTests {
  private static let key = "0123456789abcdef0123456789abcdef"
  private static let start = "sandbox start --json --host"
  let sandbox = ServedSandbox()

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  /// Forgets all servers, as another user or container does not know them.
  private func forgetServers() throws {
    for name in sandbox.folder.names where name.hasPrefix("sandbox-") {
      try FileManager.default.removeItem(atPath: sandbox.folder[name])
    }
  }

  @Test(arguments: ["0.0.0.0", "::", "10.0.0.7"]) func anotherAddressNeedsAnAllowedHost(_ host: String) {
    for line in ["sandbox start --host \(host)", "sandbox start --host \(host) --dry-run"] {
      let run = sandbox.run(line)
      #expect(run.exit == .usage && run.errors.contains("--host \(host) needs --allow-host"), "\(run.errors)")
      #expect(run.errors.contains("IFTTT_SANDBOX_ALLOW_HOST"))
    }
  }

  @Test(arguments: ["ifttt:8080", "*.test", "a b", ""]) func anAllowedHostIsAName(_ name: String) {
    #expect(sandbox.run("sandbox start --host 0.0.0.0 --allow-host '\(name)'").exit == .usage)
    sandbox.environment = ["IFTTT_SANDBOX_ALLOW_HOST": name.isEmpty ? "," : name]
    #expect(sandbox.run("sandbox start --host 0.0.0.0").exit == .usage)
  }

  @Test(arguments: [
    ("0.0.0.0", "ifttt", "http://ifttt:8080"), ("::", "ifttt", "http://ifttt:8080"),
    ("10.0.0.7", "ifttt", "http://10.0.0.7:8080"), ("fd00::7", "ifttt", "http://[fd00::7]:8080"),
    ("0.0.0.0", "fd00::7", "http://[fd00::7]:8080"),
  ])
  func theURLLeadsToTheServer(_ host: String, _ name: String, _ url: String) throws {
    let end = sandbox.start("\(Self.start) \(host) --allow-host \(name)") { shown in
      let row = try json(shown.output)
      #expect(row["url"]?.string == url)
      let environment = try #require(row["environment"])
      #expect(environment["IFTTT_API_URL"]?.string == url)
      #expect(try environment["IFTTT_ALLOW_HTTP"]?.string == WebURL.beforeHostCheck(url).host)
      // Commands on the same machine need no permission for plain http.
      let requests = sandbox.run("sandbox requests --json")
      #expect(requests.exit == .success && requests.errors == "", "\(requests.errors)")
      #expect(sandbox.run("sandbox env --url \(url)").output.contains("export IFTTT_ALLOW_HTTP="))
    }
    #expect(end.exit == .success)
    #expect(end.errors.contains("Warning: other machines can reach the server at \(host)"))
  }

  @Test func theVariableNamesAllowedHosts() throws {
    sandbox.environment = ["IFTTT_SANDBOX_ALLOW_HOST": "one.test,two.test"]
    for (option, name) in [("", "one.test"), (" --allow-host three.test", "three.test")] {
      sandbox.start("\(Self.start) 0.0.0.0\(option)") { shown in
        let url = try json(shown.output)["url"]
        #expect(url == .string("http://\(name):8080"))
      }
    }
  }

  @Test func loopbackNeedsNoPermission() throws {
    let end = sandbox.start("\(Self.start) ::1") { shown in
      let row = try json(shown.output)
      #expect(row["url"] == "http://[::1]:8080" && row["environment"]?["IFTTT_ALLOW_HTTP"] == nil)
    }
    #expect(end.errors == "")
  }

  // MARK: Health

  @Test func healthNeedsNoKey() {
    sandbox.start { _ in
      for method in ["GET", "HEAD"] {
        let reply = sandbox.answer(method, "/.sandbox/health")
        #expect(reply?.status == 200 && reply?.body == Array(#"{"status":"ok"}"#.utf8))
      }
      #expect(sandbox.answer("POST", "/.sandbox/health")?.status == 405)
      #expect(sandbox.answer("GET", "/.sandbox/health?x")?.status == 401)
      #expect(sandbox.run("sandbox requests --json").output == "[]\n", "it is no request to the emulator")
    }
  }

  @Test func healthIsForAnyHost() {
    #expect(SandboxAddress().settings.targetsForAnyHost == ["/.sandbox/health"])
    #expect(SandboxAddress().settings.allowedHosts.isEmpty)
  }

  // MARK: The control key

  @Test func aKeyFileControlsAServerThatIsNotListed() throws {
    let file = sandbox.folder.write("control.key", Self.key + "\n")
    sandbox.aliases = ["http://ifttt:8080", "http://localhost:49152"]
    let keyed = "--url http://localhost:49152 --control-key-file '\(file)'"
    sandbox.start("sandbox start --json --control-key-file '\(file)'") { shown in
      #expect(!shown.output.contains(Self.key))
      #expect(sandbox.answer("GET", "/.sandbox", [HeaderField("Authorization", "Bearer \(Self.key)")])?.status == 200)
      try forgetServers()
      sandbox.folder.write("control.key", Self.key + "\r\n")
      #expect(sandbox.run("sandbox reset --url http://localhost:49152").exit == .notFound)
      for line in ["reset", "faults list", "faults clear", "requests", "activity", "users"] {
        let run = sandbox.run("sandbox \(line) \(keyed)")
        #expect(run.exit == .success, "\(line): \(run.errors)")
        #expect(!run.output.contains(Self.key) && !run.errors.contains(Self.key))
      }
      let environment = try json(sandbox.run("sandbox env --json \(keyed)").output)
      #expect(environment["url"] == "http://localhost:49152" && environment["pid"] == .null)
      #expect(environment["environment"]?["IFTTT_API_URL"] == "http://localhost:49152")
      #expect(environment["control_file"]?.string == file)
    }
  }

  @Test func plainHTTPToAnotherHostNeedsPermission() throws {
    let file = sandbox.folder.write("control.key", Self.key)
    sandbox.aliases = ["http://ifttt:8080"]
    let line = "sandbox reset --url http://ifttt:8080 --control-key-file '\(file)'"
    sandbox.start("sandbox start --json --control-key-file '\(file)'") { _ in
      let refused = sandbox.run(line)
      #expect(refused.exit == .usage && refused.errors.contains("IFTTT_ALLOW_HTTP=ifttt"), "\(refused.errors)")
      sandbox.environment = ["IFTTT_ALLOW_HTTP": "ifttt"]
      let run = sandbox.run(line)
      #expect(run.exit == .success && run.errors.contains("Requests to ifttt use plain http"), "\(run.errors)")
    }
    let gone = sandbox.run(line)
    #expect(gone.exit == .notFound && gone.errors.contains("no sandbox server is running at http://ifttt:8080"))
  }

  @Test func aWrongKeyIsRejected() {
    let file = sandbox.folder.write("other.key", String(repeating: "x", count: 32))
    sandbox.start { _ in
      let run = sandbox.run("sandbox reset --url http://127.0.0.1:8080 --control-key-file '\(file)'")
      #expect(run.exit == .credentials && run.errors.contains("rejects the control key"), "\(run.errors)")
      #expect(!run.errors.contains("xxxx"))
      #expect(sandbox.run("sandbox reset").exit == .success, "the entry of the server is kept")
    }
  }

  @Test(arguments: [
    "", "short", String(repeating: "k", count: 31) + "\n", "two\nlines", "\"quoted-0123456789-0123456789-01\"",
  ])
  func aKeyHasEnoughCharacters(_ text: String) {
    let file = sandbox.folder.write("control.key", text)
    for line in ["start", "reset --url http://127.0.0.1:8080"] {
      let run = sandbox.run("sandbox \(line) --json --control-key-file '\(file)'")
      #expect(run.exit == .failure && run.errors.contains(#""code":"refused""#), "\(line): \(run.errors)")
    }
    #expect(sandbox.run("sandbox start --control-key-file '\(sandbox.folder["none"])'").exit == .failure)
  }

  @Test func aKeyNeedsAURL() {
    let file = sandbox.folder.write("control.key", Self.key)
    let run = sandbox.run("sandbox reset --control-key-file '\(file)'")
    #expect(run.exit == .failure && run.errors.contains("needs --url"))
  }
}
