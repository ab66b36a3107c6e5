import Foundation
import HTTP
import JSON
import ProgramDriver
import Support
import Testing
import World

@testable import Commands
@testable import Session

/// The findings of `doctor`, its advice and its repairs.
@Suite struct DoctorTests {
  /// A home with a user's home folder in it. None of the system's own folders exist.
  private static func home(_ environment: [String: String] = [:]) -> Home {
    let home = Home()
    let own: [String: String] = [
      "HOME": home.folder["user"], "SHELL": "/bin/bash", "PATH": home.folder["user/.local/bin"] + ":/usr/bin",
      "LC_ALL": "C.UTF-8",
    ]
    home.environment = own.merging(environment) { $1 }
    home.secrets += ["token-of-the-tests-0123456789", "hunter2"]
    home.prepare = { world in
      world.files.failure = { operation, path in
        path.hasPrefix(home.folder.path) ? nil : SystemError(number: 2, call: "\(operation) \(path)")
      }
    }
    return home
  }

  /// A check's row in a run of `doctor`.
  private static func row(
    _ check: String, _ home: Home, _ line: String = "doctor --offline", answers: Server? = nil
  ) throws -> JSONValue {
    let run = home.run("\(line) --json", answers: answers)
    let rows = try #require(JSONValue(parsing: Array(run.output.utf8)).array, "\(run.errors)")
    return try #require(rows.first { $0["check"]?.string == check })
  }

  private static func status(_ check: String, _ home: Home) throws -> String? {
    try row(check, home)["status"]?.string
  }

  private static let me = #"{"type":"me","authentication_level":"user","service_id":"lampost","user_login":"kai"}"#
  private static let date = Server.field("Date", "Mon, 21 Sep 2026 14:13:20 GMT")

  /// The responses to the three requests. The clock of these tests shows the same second.
  private static func answers(_ headers: [HeaderField] = [date], me: (Int, String) = (200, me)) -> Server {
    Server().answering(404, headers: headers).answering(200, headers: headers).answering(me.0, me.1)
  }

  @Test func everythingPasses() {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    let server = Self.answers()
    let run = home.run("doctor --fix -o csv --no-header --fields status,check", answers: server)
    #expect(run.lines == DoctorCheck.all.map { "ok,\($0.name)" }, "\(run.output)")
    #expect(run.exit == .success)
    #expect(run.errors == "")
    #expect(server.asked == ["HEAD connect.ifttt.com/", "HEAD api.ifttt.com/", "GET connect.ifttt.com/v2/me"])
  }

  @Test func theWebhooksKeyIsNamedButNotSent() throws {
    let home = Self.home()
    #expect(try Self.row("webhooks-key", home)["found"]?.string == "none is stored or set; 'webhook fire' needs one")
    home.folder.write("key", "hunter2")
    #expect(home.run("profile create work --webhooks-key-file \(home.folder["key"]) --use").exit == .success)
    #expect(try Self.row("webhooks-key", home)["found"]?.string == "stored in the profile")
    home.environment["IFTTT_WEBHOOKS_KEY"] = "hunter2 and a space"
    #expect(try Self.status("webhooks-key", home) == "failure")
    home.environment["IFTTT_WEBHOOKS_KEY"] = "hunter2"
    #expect(try Self.row("webhooks-key", home)["found"]?.string == "from the environment")
  }

  @Test func aFailureSetsTheExitCode() {
    let home = Self.home(["SSL_CERT_FILE": "/nowhere/ca.pem"])
    let run = home.run("doctor --offline --fields status,check,found -o tsv --no-header")
    #expect(run.lines.contains("failure\tenvironment\tSSL_CERT_FILE is set to /nowhere/ca.pem, which does not exist"))
    #expect(run.exit == .failure)
    #expect(
      run.errors == """
        ifttt: 1 of 20 checks failed
          environment: SSL_CERT_FILE is set to /nowhere/ca.pem, which does not exist
          Unset SSL_CERT_FILE, or set it to an existing path.

        """)
    #expect(Self.home().run("doctor --offline").exit == .success, "a warning is not a failure")
  }

  @Test func aLogOfKeysIsReported() throws {
    let home = Self.home(["SSLKEYLOGFILE": "/tmp/keys", "IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    let row = try Self.row("environment", home)
    #expect(row["status"]?.string == "warning" && row["found"]?.string?.contains("writes keys to /tmp/keys") == true)
    let note = "SSLKEYLOGFILE is set: libcurl writes the TLS keys to /tmp/keys."
    #expect(home.run("doctor -v", answers: Self.answers()).errors.contains(note))
    #expect(!home.run("doctor", answers: Self.answers()).errors.contains(note))
    home.environment["SSLKEYLOGFILE"] = ""
    #expect(try Self.status("environment", home) == "ok")
    #expect(!home.run("doctor -v", answers: Self.answers()).errors.contains(note))
  }

  @Test func withoutTheNetworkChecksAreSkipped() throws {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    for check in ["certificates", "network", "clock", "token"] { #expect(try Self.status(check, home) == "skipped") }
    let server = Server().failing(.resolve, "no such host").failing(.resolve, "no such host").failing(.resolve, "no")
    let run = home.run("doctor -o tsv --no-header --fields status,check", answers: server)
    for line in ["failure\tnetwork", "skipped\tclock", "skipped\ttoken", "skipped\tcertificates"] {
      #expect(run.lines.contains(line), "\(run.output)")
    }
    #expect(run.exit == .failure)
  }

  @Test func requestsShareTheTimeout() {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    let server = Self.answers()
    home.prepare = { [prepare = home.prepare] world in
      prepare(world)
      server.whileWaiting = { world.clock.advance(by: .milliseconds(900)) }
    }
    home.run("doctor --timeout 2s", answers: server)
    #expect(server.limits == [.seconds(2), .seconds(2), .milliseconds(200)])
  }

  @Test(
    arguments: [
      ("Mon, 21 Sep 2026 14:13:23 GMT", "ok"), ("Mon, 21 Sep 2026 14:14:10 GMT", "ok"),
      ("Mon, 21 Sep 2026 14:15:20 GMT", "warning"), ("Mon, 21 Sep 2026 11:13:20 GMT", "failure"),
      ("yesterday", "skipped"),
    ]) func theClockIsComparedWithTheServers(_ date: String, _ status: String) throws
  {
    let server = Server().answering(200, headers: [Server.field("Date", date)]).answering(200)
    #expect(try Self.row("clock", Self.home(), "doctor", answers: server)["status"]?.string == status)
  }

  /// A slug is not checked when it is stored, and a wrong one leads to 404s that say nothing about it.
  @Test func aServiceThatIsNotTheTokensIsReported() throws {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    #expect(home.run("profile set default --service wrongslug").exit == .success)
    let row = try Self.row("token", home, "doctor", answers: Self.answers())
    #expect(row["status"]?.string == "warning", "\(row.text)")
    #expect(row["found"]?.string == "the token belongs to service 'lampost', but the profile says 'wrongslug'")
    let secret = home.run("profile set default --service sandbox-key-lampost-7hQ2xV9mTz4LcB1n")
    #expect(secret.exit == .usage && !secret.errors.contains("7hQ2xV9m"), "\(secret.errors)")
  }

  @Test func theTokensOwnerIsShown() throws {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    let good = try Self.row("token", home, "doctor", answers: Self.answers())
    #expect(good["found"]?.string == "from the environment; IFTTT login kai, service lampost")
    let refused = try Self.row("token", home, "doctor", answers: Self.answers(me: (401, "")))
    #expect(refused["status"]?.string == "failure")
    let busy = try Self.row("token", home, "doctor", answers: Self.answers(me: (503, "")))
    #expect(busy["status"]?.string == "skipped")
    #expect(try Self.status("token", Self.home()) == "warning")
    let sandbox = try Self.row("token", Self.home(), "--profile sandbox doctor")
    #expect(sandbox["found"]?.string?.hasSuffix("IFTTT login kai_lamps, service lampost") == true)
  }

  @Test func theLibrariesAndCertificatesAreChecked() throws {
    let home = Self.home()
    home.folder.write("ca.pem", "")
    func run(_ check: String, _ facts: TransportDescription) throws -> JSONValue {
      let server = Server().answering(200).answering(200)
      server.description = facts
      return try Self.row(check, home, "doctor", answers: server)
    }
    let good = TransportDescription(library: .success("libcurl/8.5"), certificateFile: home.folder["ca.pem"])
    #expect(try run("libraries", good)["found"]?.string == "OpenSSL is available; libcurl/8.5")
    #expect(
      try run("certificates", good)["found"]?.string
        == "verified https://api.ifttt.com, https://connect.ifttt.com with \(home.folder["ca.pem"])")
    let bare = TransportDescription(library: .success("libcurl/8.5"), certificateFolder: "/nowhere")
    #expect(try run("certificates", bare)["status"]?.string == "failure")
    let none = TransportError(kind: .unsupported, message: "too old", mayHaveArrived: false)
    #expect(try run("libraries", TransportDescription(library: .failure(none)))["found"]?.string == "too old")
    let tls = Server().failing(.tls, "self-signed certificate").answering(200)
    #expect(try Self.row("certificates", home, "doctor", answers: tls)["status"]?.string == "failure")
  }

  @Test(arguments: [
    ("IFTTT_SERVICEKEY", "Did you mean IFTTT_SERVICE_KEY?"), ("IFTTT_USER_TOKN", "Did you mean IFTTT_USER_TOKEN?"),
    ("IFTTT_XYZZY_PLUGH", "Unset it; see 'ifttt help environment'."),
  ])
  func aMisspelledVariableIsNamed(_ name: String, _ hint: String) throws {
    let row = try Self.row("environment", Self.home([name: "x"]))
    #expect(row["status"]?.string == "warning")
    #expect(row["found"]?.string == "\(name) is not a variable of ifttt or of its plugins")
    #expect(row["advice"]?.string == hint)
  }

  @Test func everyProblemOfTheVariablesIsNamedWithWhatWasChecked() throws {
    let home = Self.home([
      "SSL_CERT_FILE": "/nowhere/a", "SSL_CERT_DIR": "/nowhere/b", "XDG_DATA_HOME": "share", "IFTTT_PROFIL": "x",
    ])
    let found = try #require(try Self.row("environment", home)["found"]?.string)
    for part in ["/nowhere/a", "/nowhere/b", "XDG_DATA_HOME", "IFTTT_PROFIL "] {
      #expect(found.contains(part), "\(found)")
    }
    home.environment = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"]).environment
    let good = try Self.row("environment", home)
    #expect(good["status"]?.string == "ok")
    #expect(good["found"]?.string?.contains("IFTTT_USER_TOKEN") == true)
  }

  @Test func theProxysPasswordIsMasked() throws {
    let home = Self.home(["https_proxy": "http://kai:hunter2@proxy.test:3128", "NO_PROXY": "localhost"])
    #expect(try Self.row("proxy", home)["found"]?.string == "http://…@proxy.test:3128, except for localhost")
    #expect(try Self.row("proxy", Self.home())["found"]?.string == "none")
  }

  @Test(
    arguments: [
      ("IFTTT_STORE_KEY_FILE", "/nowhere/key", "failure"), ("SSL_CERT_DIR", "/nowhere", "failure"),
      ("IFTTT_USER_TOKEN", "token-of-the-tests-0123456789 ", "warning"), ("IFTTT_OAUTH_CODE", " code", "warning"),
      ("IFTTT_WEBHOOKS_KEY", "key\n", "warning"), ("XDG_DATA_HOME", "share", "warning"),
      ("HTTP_PROXY", "http://proxy.test", "warning"), ("HTTPS_PROXY", "http://proxy.test", "ok"),
    ]) func invalidVariablesAreReported(_ name: String, _ value: String, _ status: String) throws
  {
    #expect(try Self.status("environment", Self.home([name: value])) == status)
  }

  @Test(
    arguments: [
      (["LC_ALL": "de_DE.UTF-8"], "ok"), (["LC_ALL": "", "LANG": "en_US.utf8"], "ok"), (["LC_ALL": "C"], "warning"),
      (["LC_ALL": ""], "warning"),
    ]) func theLocaleMustBeUTF8(_ environment: [String: String], _ status: String) throws
  {
    #expect(try Self.status("terminal", Self.home(environment)) == status)
  }

  @Test func baseURLsMustBeHTTPSOrLocal() throws {
    #expect(try Self.status("base-urls", Self.home(["IFTTT_API_URL": "http://api.test"])) == "failure")
    let own = try Self.row("base-urls", Self.home(["IFTTT_CONNECT_URL": "http://127.0.0.1:8080"]))
    #expect(own["found"]?.string == "IFTTT_CONNECT_URL is http://127.0.0.1:8080")
  }

  @Test func aDryRunPrintsTheRequests() {
    let home = Self.home(["IFTTT_USER_TOKEN": "token-of-the-tests-0123456789"])
    let run = home.run("doctor --dry-run -o tsv --no-header --fields method,url")
    #expect(
      run.lines == [
        "HEAD\thttps://connect.ifttt.com/", "HEAD\thttps://api.ifttt.com/", "GET\thttps://connect.ifttt.com/v2/me",
      ])
  }

  @Test func aTerminalTruncatesNothing() {
    let home = Self.home()
    home.terminal = .interactive(columns: 60)
    let run = home.run("doctor --offline --color always")
    let wide = run.lines.filter { $0.count > 60 + 10 }
    #expect(wide.allSatisfy { $0.contains(home.folder.path) }, "no path is wrapped: \(wide)")
    #expect(run.output.contains("\u{1b}[33mwarning\u{1b}[0m  token         no user token is stored or set\n"))
    #expect(run.output.contains("\n                       Set up the profile with 'ifttt init',\n"))
    #expect(run.output.contains("With --fix: write "))
  }
}
