import ConnectionCommands
import Foundation
import HTTP
import IFTTT
import JSON
import Plugins
import ProgramDriver
import Sandbox
import Session
import Support
import Testing
import World

@testable import DeveloperCommands

/// `sandbox start` and the commands for the running server.
@Suite struct SandboxCommandTests {
  let sandbox = ServedSandbox()
  /// The files that a server leaves when it ends: neither its key nor its own file.
  private static let left = ["sandbox-servers.json", "sandbox-servers.json.lock"]

  private func json(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test func startPrintsTheURLAndTheEnvironment() throws {
    let end = sandbox.start("sandbox start --json --ready-file \(sandbox.folder["ready.json"])") { shown in
      let row = try json(shown.output)
      #expect(row["url"] == "http://127.0.0.1:8080" && row["pid"] == 4242)
      for base in BaseURL.allCases { #expect(row["environment"]?[base.variable.name] == row["url"]) }
      #expect(row["environment"]?["IFTTT_SERVICE_KEY"]?.string == SandboxFixtures.serviceKey)
      #expect(row["environment"]?["IFTTT_WEBHOOKS_KEY"]?.string == SandboxFixtures.webhooksKey)
      let file = try #require(row["control_file"]?.string)
      #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)
      #expect(sandbox.folder.text("ready.json") == shown.output)
      #expect(sandbox.answer("GET", "/v2/connections/Kd7Rn2Qx")?.status == 200)
    }
    #expect(end.exit == .success && end.errors == "")
    #expect(sandbox.folder.names == Self.left)
    #expect(sandbox.answer("GET", "/v2/me") == nil)
  }

  @Test func anUnwritableReadyFileStopsTheServer() {
    let end = sandbox.start("sandbox start --ready-file \(sandbox.folder["no/such"])") { _ in
      Issue.record("the server must not start")
    }
    #expect(end.exit == .failure && end.errors.contains("cannot write '\(sandbox.folder["no/such"])'"))
    #expect(sandbox.answer("GET", "/v2/me") == nil)
    #expect(sandbox.folder.names == Self.left)
  }

  @Test func aPortInUseIsReported() {
    let run = sandbox.run("sandbox start --port 1 --json")
    #expect(run.exit == .failure && run.errors.contains(#""code":"refused""#))
    #expect(sandbox.run("sandbox start --host 0.0.0.0").exit == .usage)
    #expect(sandbox.run("sandbox start --port 65536").exit == .usage)
  }

  /// A program that reads the pipe does not have to request JSON.
  @Test func startPrintsJSONToAPipe() throws {
    let end = sandbox.start("sandbox start") { shown in
      let row = try json(shown.output)
      #expect(row["url"] == "http://127.0.0.1:8080")
    }
    #expect(end.exit == .success)
  }

  @Test func aDryRunServesNothing() {
    let run = sandbox.run("sandbox start --dry-run")
    #expect(
      run.exit == .success && run.output == "" && run.errors == "Would serve the sandbox at http://127.0.0.1:0.\n")
    for line in ["faults set html", "faults clear", "reset"] {
      #expect(sandbox.run("sandbox \(line) --dry-run").exit == .success)
    }
  }

  @Test func faultsAreSetAddedListedAndCleared() throws {
    sandbox.start { _ in
      let set = sandbox.run("sandbox faults set status=503,retry-after=2 html --path '/v2/*' --times 1 --json")
      let texts = try json(set.output).array?.map { $0["text"]?.string }
      #expect(texts == ["status=503,retry-after=2,path=/v2/*,times=1", "html,path=/v2/*,times=1"])
      #expect(sandbox.answer("GET", "/v1/me")?.status == 200)
      #expect(sandbox.answer("GET", "/v2/me")?.fields.last == HeaderField("Retry-After", "2"))
      #expect(sandbox.answer("GET", "/v2/me").map { String(decoding: $0.body, as: UTF8.self) }?.hasPrefix("<!") == true)
      #expect(sandbox.answer("GET", "/v2/me")?.body.first == UInt8(ascii: "{"))
      #expect(sandbox.run("sandbox faults list --json").output == "[]\n")
      sandbox.run("sandbox faults set latency=1s")
      let added = sandbox.run("sandbox faults set reset --add --method POST -o tsv --fields text --no-header")
      #expect(added.output == "latency=1s\nreset,method=POST\n")
      #expect(sandbox.answer("POST", "/v2/me")?.delivery.completion == .reset(afterBody: nil))
      #expect(sandbox.answer("GET", "/v2/me")?.delivery.delay == .seconds(1))
      #expect(sandbox.run("sandbox faults clear --json").output == "[]\n")
      #expect(sandbox.answer("GET", "/v2/me")?.delivery == Delivery())
    }
  }

  @Test(arguments: ["statsu=503", "status=200", "status", "drip=1", "html=1", "latency=2s..1s", "redirect=ftp://x", ""])
  func anInvalidFaultIsAUsageError(_ text: String) {
    let run = sandbox.run("sandbox faults set '\(text)'")
    #expect(run.exit == .usage && run.errors.contains("it "), "\(run.errors)")
  }

  @Test func requestsAreShownFilteredAndMasked() throws {
    sandbox.start { _ in
      let fields = [
        HeaderField("Authorization", "Bearer \(SandboxFixtures.userToken)"),
        HeaderField("IFTTT-Invite-Code", "secret-code"),
      ]
      _ = sandbox.answer("GET", "/v2/me", fields)
      _ = sandbox.answer(
        "POST", "/v2/user_token?user_id=u-5521&access_token=at_7f20c1", body: #"{"token":"at_hidden"}"#)
      _ = sandbox.answer("GET", "/v2/nothing")
      let all = sandbox.run("sandbox requests --json")
      for secret in [SandboxFixtures.userToken, "secret-code", "at_7f20c1", "at_hidden"] {
        #expect(!all.output.contains(secret), "\(all.output)")
      }
      let rows = try #require(json(all.output).array)
      #expect(rows.map { $0["status"]?.int } == [200, 400, 404] && rows.map { $0["number"]?.int } == [1, 2, 3])
      #expect(rows[0]["request"]?["headers"]?["Authorization"] == "Bearer Zq8v…VwBk")
      #expect(
        rows[1]["message"] != .null && rows[0]["response"]?["body"]?.string?.contains("authentication_level") == true)
      func paths(_ options: String) -> String {
        sandbox.run("sandbox requests \(options) --fields path -o tsv --no-header").output
      }
      #expect(paths("--method POST") == "/v2/user_token\n")
      #expect(paths("--path '/v2/*e*'") == "/v2/me\n/v2/user_token\n")
      #expect(paths("--status 404") == "/v2/nothing\n")
      #expect(paths("--last 1") == "/v2/nothing\n")
      #expect(paths("--method DELETE") == "")
    }
  }

  @Test func aNumberShowsOneRequestWhole() {
    sandbox.start { _ in
      _ = sandbox.answer("POST", "/v2/user_token?user_id=u-5521", body: #"{"access_token":"at_wrong_0123"}"#)
      let shown = sandbox.run("sandbox requests 1")
      let parts = [
        "1  POST /v2/user_token?user_id=u-5521\n", "STATUS:", "MESSAGE:", "Request\n", "\n  {\n", "Response\n",
        "Content-Type:", #""access_token": "…""#,
      ]
      for part in parts { #expect(shown.output.contains(part), "\(part): \(shown.output)") }
      let row = try json(sandbox.run("sandbox requests 1 --json").output)
      #expect(row["response"]?["body_truncated"] == false)
      for line in ["sandbox requests 2", "sandbox activity 1", "sandbox send-again 2"] {
        let missing = sandbox.run(line)
        #expect(missing.exit == .notFound && missing.errors.contains("no entry"), "\(line): \(missing.errors)")
      }
      #expect(sandbox.run("sandbox requests 1 --status 404").exit == .usage)
    }
  }

  @Test func aClientsRequestIsSentAgain() {
    sandbox.start { _ in
      let token = [HeaderField("Authorization", "Bearer \(SandboxFixtures.userToken)")]
      _ = sandbox.answer("GET", "/v2/me", token)
      let again = try json(sandbox.run("sandbox send-again 1 --json").output)
      #expect(again["number"] == 2 && again["caused_by"] == 1 && again["status"] == 200)
      #expect(
        again["response"]?["body"]?.string?.contains("authentication_level") == true,
        "the credential is the original one")
      let edited = sandbox.run("sandbox send-again 1 --path /v2/nothing --header 'X-Note: 1' --json")
      #expect(edited.exit == .failure && edited.errors.contains(#""code":"refused""#), "\(edited.errors)")
      let row = try json(edited.output)
      #expect(row["status"] == 404 && row["request"]?["headers"]?["X-Note"] == "1")
      let original = try json(sandbox.run("sandbox requests 1 --json").output)
      #expect(original["effects"] == [2, 3])
      #expect(sandbox.run("sandbox send-again 1 --header 'a b: c'").exit == .usage)
      let dry = sandbox.run("sandbox send-again 1 --dry-run")
      let all = try json(sandbox.run("sandbox requests --json").output)
      #expect(dry.exit == .success && all.array?.count == 3)
    }
  }

  /// The server sends a long list in several responses.
  @Test func aLongListIsComplete() {
    sandbox.start { _ in
      for _ in 0..<2300 { _ = sandbox.answer("GET", "/v2/nothing") }
      func numbers(_ options: String) throws -> [Int] {
        (try json(sandbox.run("sandbox requests --json \(options)").output).array ?? []).compactMap {
          $0["number"]?.int
        }
      }
      for (options, expected) in [("", 1...2300), ("--last 1500", 801...2300), ("--last 3", 2298...2300)] {
        let found = try numbers(options)
        #expect(found == Array(expected), "\(options): \(found.count)")
      }
    }
  }

  @Test func resetRestoresTheInitialState() {
    sandbox.start("sandbox start --fault html,times=1") { _ in
      let token = [HeaderField("Authorization", "Bearer \(SandboxFixtures.userToken)")]
      #expect(sandbox.answer("GET", "/v2/me")?.fields.last?.value == "text/html; charset=utf-8")
      _ = sandbox.answer("POST", "/v2/connections/Kd7Rn2Qx/disable", token)
      sandbox.run("sandbox faults set html,path=/x")
      #expect(sandbox.run("sandbox reset --json").output == #"{"url":"http://127.0.0.1:8080","reset":true}"# + "\n")
      #expect(sandbox.run("sandbox requests --json").output == "[]\n")
      #expect(sandbox.run("sandbox faults list --json").output == "[]\n")
      let shown = sandbox.answer("GET", "/v2/connections/Kd7Rn2Qx", token)
      #expect(shown.map { String(decoding: $0.body, as: UTF8.self) }?.contains(#""user_status":"enabled""#) == true)
    }
  }

  @Test func envPrintsForShellsAndPrograms() throws {
    sandbox.start { shown in
      let lines = sandbox.run("sandbox env").output
      #expect(lines.hasPrefix("export IFTTT_CONNECT_URL='http://127.0.0.1:8080'\n"))
      #expect(sandbox.run("sandbox env --json").output == shown.output)
      #expect(sandbox.run("sandbox env --url http://127.0.0.1:8080/").exit == .success)
      #expect(sandbox.run("sandbox env --url http://127.0.0.1:9").exit == .notFound)
    }
    #expect(SandboxEnv.quoted("it's $HOME") == #"'it'\''s $HOME'"#)
  }

  @Test func withoutAServerEveryCommandFails() {
    for line in ["env", "faults list", "faults set html", "faults clear", "requests", "activity", "reset"] {
      let run = sandbox.run("sandbox \(line) --json")
      #expect(run.exit == .notFound && run.errors.contains("sandbox start"), "\(run.errors)")
    }
  }

  @Test func aServerThatIsGoneIsRemovedFromTheList() {
    sandbox.folder.write("sandbox-servers.json", #"["sandbox-server-9.json","sandbox-server-8080.json","gone","../x"]"#)
    for port in [9, 8080] {
      sandbox.folder.write(
        "sandbox-server-\(port).json", #"{"url":"http://127.0.0.1:\#(port)","pid":1,"key":"k","environment":{}}"#)
    }
    #expect(sandbox.run("sandbox reset --url http://127.0.0.1:9").exit == .notFound)
    #expect(sandbox.folder.text("sandbox-server-9.json") == nil)
    #expect(sandbox.folder.text("sandbox-server-8080.json") != nil)
    // Another server is using the URL now.
    sandbox.start("sandbox start --port 8081") { _ in
      #expect(sandbox.run("sandbox reset --url http://127.0.0.1:8080").exit == .notFound)
    }
    #expect(sandbox.run("sandbox reset").exit == .notFound)
    sandbox.folder.write("sandbox-servers.json", "damaged")
    #expect(sandbox.run("sandbox reset").exit == .notFound)
  }

  @Test func aCrashedServerDoesNotAffectTheOthers() {
    for port in [9, 10] {
      sandbox.folder.write(
        "sandbox-server-\(port).json", #"{"url":"http://127.0.0.1:\#(port)","pid":1,"key":"k","environment":{}}"#)
    }
    sandbox.folder.write("sandbox-servers.json", #"["sandbox-server-9.json","sandbox-server-10.json"]"#)
    sandbox.start { _ in
      for line in ["env", "faults set html,path=/x", "faults list", "faults clear", "requests", "reset"] {
        let run = sandbox.run("sandbox \(line)")
        #expect(run.exit == .success, "\(line): \(run.errors)")
      }
    }
    #expect(sandbox.folder.names == Self.left, "the crashed servers are removed")
  }

  @Test func severalServersNeedAURL() {
    sandbox.folder.write(
      "sandbox-server-9.json", #"{"url":"http://127.0.0.1:9","pid":1,"key":"k","environment":{}}"#)
    sandbox.folder.write("sandbox-servers.json", #"["sandbox-server-9.json"]"#)
    // The server accepts connections but responds slowly.
    sandbox.busy = ["http://127.0.0.1:9"]
    sandbox.start { _ in
      let run = sandbox.run("sandbox reset")
      #expect(run.exit == .usage && run.errors.contains("--url: http://127.0.0.1:9, http://127.0.0.1:8080"))
      #expect(sandbox.run("sandbox reset --url http://127.0.0.1:8080").exit == .success)
    }
  }

  @Test func theControlEndpointNeedsTheKey() throws {
    sandbox.start { _ in
      let server = try json(sandbox.folder.text("sandbox-server-8080.json") ?? "")
      let key = try #require(server["key"]?.string)
      let right = HeaderField("Authorization", "Bearer \(key)")
      #expect(sandbox.answer("GET", "/.sandbox", [right])?.status == 200)
      #expect(sandbox.answer("GET", "/.sandbox")?.status == 401)
      #expect(
        sandbox.answer("GET", "/.sandbox/faults", [HeaderField("Authorization", "Bearer \(key)x")])?.status == 401)
      #expect(
        sandbox.answer("POST", "/.sandbox/reset", [right, HeaderField("Origin", "http://localhost")])?.status == 403)
      #expect(sandbox.answer("GET", "/.sandbox/reset", [right])?.status == 405)
      #expect(sandbox.answer("GET", "/.sandbox/nothing", [right])?.status == 404)
      #expect(sandbox.answer("GET", "/.sandbox/requests?last=x", [right])?.status == 400)
      #expect(sandbox.answer("GET", "/.sandbox/activity?step=polled&last=1", [right])?.status == 200)
      #expect(sandbox.answer("GET", "/.sandbox/activity?step=none", [right])?.status == 400)
      #expect(sandbox.answer("GET", "/.sandbox/users?from=9", [right])?.status == 200)
      for query in ["from=-1", "from=", "from=x", "to=1"] {
        #expect(sandbox.answer("GET", "/.sandbox/users?\(query)", [right])?.status == 400)
      }
      #expect(sandbox.answer("PUT", "/.sandbox/faults", [right], body: "{}")?.status == 400)
      #expect(sandbox.answer("PUT", "/.sandbox/faults", [right], body: #"{"faults":["nonsense"]}"#)?.status == 400)
      #expect(sandbox.answer("PUT", "/.sandbox/faults", [right], body: #"{"faults":["html"]}"#)?.status == 200)
      #expect(sandbox.answer("GET", "/.sandboxes")?.status == 200, "the path is IFTTT's, so the fault applies")
    }
  }

  @Test func aSeedReplacesTheFixtures() throws {
    let built = sandbox.run("sandbox seed").output
    sandbox.folder.write("world.json", built.replacingOccurrences(of: "Kd7Rn2Qx", with: "Own1"))
    sandbox.start("sandbox start --seed \(sandbox.folder["world.json"]) --connections 2") { _ in
      #expect(sandbox.answer("GET", "/v2/connections/Own1")?.status == 200)
      #expect(sandbox.answer("GET", "/v2/connections/Kd7Rn2Qx")?.status == 404)
      #expect(sandbox.answer("GET", "/v2/connections/L0000002")?.status == 200)
      #expect(sandbox.answer("GET", "/v2/connections/L0000003")?.status == 404)
    }
    sandbox.folder.write("world.json", built.replacingOccurrences(of: "TEXT_FIELD", with: "TEXT"))
    let run = sandbox.run("sandbox start --seed \(sandbox.folder["world.json"])")
    #expect(run.exit == .failure && run.errors.contains("].type is not one of TEXT_FIELD, "), "\(run.errors)")
    #expect(sandbox.run("sandbox start --seed \(sandbox.folder["none"])").exit == .failure)
  }

  @Test func usersAreListedAsAFile() throws {
    #expect(sandbox.run("sandbox users").exit == .notFound)
    sandbox.start("sandbox start --users 1500") { _ in
      let plain = sandbox.run("sandbox users")
      let lines = plain.output.split(separator: "\n")
      #expect(lines.count == 1502 && lines[0] == #"{"user_id":"u-5521"}"# && lines[1501] == #"{"user_id":"u-0001500"}"#)
      #expect(!plain.output.contains("token"))
      let first = sandbox.run("sandbox users --tokens").output.prefix { $0 != "\n" }
      #expect(first == #"{"user_id":"u-5521","access_token":"at_7f20c1"}"#)
      let table = sandbox.run("sandbox users --tokens -o csv --fields access_token").output
      #expect(table.hasSuffix("\nsandbox-access-token-0001500\n"), "\(table.suffix(100))")
      #expect(sandbox.run("sandbox users --fields access_token").exit == .usage)
      let schema = sandbox.run("schema sandbox-users").output
      let document = sandbox.run("sandbox users --json").output
      #expect(document == "[\n\(lines.joined(separator: ",\n"))\n]\n")
      let problems = try? JSONSchemaValidator.problems(in: [.init(schema: schema, documents: [document])])
      #expect(problems == [])

      // A reset keeps the users and forgets their changes.
      let token = HeaderField("Authorization", "Bearer sandbox-user-token-0001500")
      #expect(sandbox.answer("POST", "/v2/connections/Kd7Rn2Qx/disable", [token])?.status == 200)
      sandbox.run("sandbox reset")
      let shown = sandbox.answer("GET", "/v2/connections/Kd7Rn2Qx", [token])
      #expect(shown.map { String(decoding: $0.body, as: UTF8.self).contains(#""user_status":"enabled""#) } == true)
    }
  }

  @Test func usersNeedAService() {
    sandbox.folder.write("seed.json", #"{"format":1,"services":[{"id":"x","name":"X"}],"users":[],"connections":[]}"#)
    let run = sandbox.run("sandbox start --users 1 --seed \(sandbox.folder["seed.json"])")
    #expect(run.exit == .failure && run.errors.contains("--users requires a service"), "\(run.errors)")
    #expect(sandbox.run("sandbox start --users 10000000").exit == .usage)
  }

  @Test func outputsConformToTheirSchemas() throws {
    var cases: [JSONSchemaValidator.Case] = []
    sandbox.start { shown in
      sandbox.run("sandbox faults set latency=1ms --share 0.5")
      _ = sandbox.answer("GET", "/v2/me?x=y", [HeaderField("Authorization", "Bearer x")], body: "text")
      let lines = ["env", "faults list", "faults set html", "requests", "activity", "faults clear", "reset"]
      for line in lines {
        let words = line.split(separator: " ").joined(separator: "-")
        let schema = sandbox.run("schema sandbox-\(words == "faults-set-html" ? "faults-set" : words)").output
        cases.append(.init(schema: schema, documents: [sandbox.run("sandbox \(line) --json").output]))
      }
      cases.append(.init(schema: sandbox.run("schema sandbox-start").output, documents: [shown.output]))
    }
    #expect(cases.count == 8)
    #expect(try JSONSchemaValidator.problems(in: cases) == [])
  }
}
