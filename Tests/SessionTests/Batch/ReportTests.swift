import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// `--report junit=FILE`, as parsed by other programs.
@Suite struct ReportTests {
  /// Reads a report as CI services do, and reports violations of the format.
  private func read(_ home: Home, _ name: String = "report.xml") throws -> [String] {
    let script = #"""
      import sys, xml.etree.ElementTree as xml
      root = xml.parse(sys.argv[1]).getroot()
      assert root.tag == "testsuites" and len(root) == 1, root.tag
      suite = root[0]
      assert suite.tag == "testsuite"
      needed = {"id", "package", "name", "tests", "failures", "errors", "skipped", "time", "timestamp", "hostname"}
      assert set(suite.attrib) == needed, suite.attrib
      cases = suite.findall("testcase")
      assert [part.tag for part in suite] == ["properties"] + ["testcase"] * len(cases) + ["system-out", "system-err"]
      assert int(suite.get("tests")) == len(cases)
      for kind in ("failure", "error", "skipped"):
          count = sum(1 for case in cases if case.find(kind) is not None)
          assert count == int(suite.get({"failure": "failures", "error": "errors"}.get(kind, kind))), kind
      print(suite.get("name"))
      for case in cases:
          assert set(case.attrib) == {"name", "classname", "time"} and len(case) <= 1, case.attrib
          assert float(case.get("time")) >= 0 and case.get("classname") == suite.get("name").replace(" ", ".")
          print(case.get("name"), *(repr((part.tag, part.get("type"), part.get("message"))) for part in case))
      """#
    let python = try Tool.required("python3")
    let outcome = try python.run(
      ["-c", script, home.folder[name]], in: try ScratchFolder(), environment: [:], input: "")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  private func home(tracking ids: String...) -> (Home, String) {
    let home = Home()
    home.environment["IFTTT_USER_TOKEN"] = "token-of-the-tests-0123456789"
    return (home, "--report junit=\(home.folder["report.xml"])")
  }

  @Test func eachItemHasATestCase() throws {
    let (home, report) = home()
    let server = Server().answering(200, Server.connection("aa")).answering(
      404, Server.error("gone", "\\u001b[31m<a> & \\\"b\\\" ]]> \\ufffe\\u0000\\u2028 \\n::error::x"))
    let run = home.run("connections show aa bb \(report)", answers: server)
    #expect(run.exit == .partial)
    let lines = try read(home)
    #expect(lines.first == "ifttt connections show")
    #expect(lines.count == 3)
    #expect(lines[1] == "aa")
    #expect(lines[2].hasPrefix("bb ('failure', 'not_found', "))
    #expect(lines[2].contains(#"\\u{1b}[31m<a> & "b" ]]> \\u{fffe}\\u{0}"#), "\(lines[2])")
  }

  /// A server may repeat a credential, also in text that the formats of the reports escape. As on stderr, it is masked.
  @Test func credentialsAreMasked() throws {
    let (home, report) = home()
    let secret = "key/of*the_tests:0123456789,x"
    home.environment["IFTTT_WEBHOOKS_KEY"] = secret
    home.environment["GITHUB_ACTIONS"] = "true"
    home.environment["GITHUB_STEP_SUMMARY"] = home.folder["summary.md"]
    let server = Server().answering(404, Server.error("gone", "no \(secret) here"))
      .answering(404, Server.error("gone", "no \(secret) here"))
    let users = home.folder.write("users.csv", "user_id\nu1\n\"\(secret)\"\n")
    home.environment["IFTTT_SERVICE_KEY"] = "service-key-of-the-tests-0123456789"
    let run = home.run("connections show aa --users \(users) --jobs 1 --as service \(report)", answers: server)
    #expect(run.exit == .notFound, "\(run.errors)")
    let escapedSecret = secret.replacing("/", with: "&#47;").replacing("*", with: "&#42;").replacing("_", with: "&#95;")
      .replacing(":", with: "&#58;")
    let annotation = secret.replacing(":", with: "%3A").replacing(",", with: "%2C")
    let texts: [String?] = [
      home.folder.text("report.xml"), home.folder.text("summary.md"), run.errors,
      try read(home).joined(separator: "\n"),
    ]
    for text in texts {
      let text = try #require(text)
      #expect(text.contains("…"), "\(text)")
      for form in [secret, escapedSecret, annotation] { #expect(!text.contains(form), "\(form) in \(text)") }
    }
    #expect(run.errors.contains("::error title="), "\(run.errors)")
  }

  @Test func includesInvalidLinesAndUnreachedItems() throws {
    let home = Home.tracking("aa", "bb", "cc")
    let server = ["aa", "bb", "cc"].reduce(Server()) { $0.answering(200, Server.connection($1)) }
      .answering(200, Server.connection("aa", status: "disabled"))
    home.prepare = { world in
      server.whileWaiting = {
        if server.asked.last?.hasPrefix("POST ") == true { world.interruption.interrupt() }
      }
    }
    let run = home.run(
      "--jobs 1 connections disable --stdin --report junit=\(home.folder["report.xml"])",
      input: .text("aa\nbb\nc c\ncc\n"),
      answers: server)
    #expect(run.exit == .interrupted)
    #expect(
      try read(home) == [
        "ifttt connections disable", "line 3 ('failure', 'usage', 'expected one id per line')", "aa",
        "bb ('skipped', None, 'the run ended before this item')",
        "cc ('skipped', None, 'the run ended before this item')",
      ])
  }

  @Test func refreshAndAddWriteAReport() throws {
    let (home, report) = home()
    let add = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    #expect(home.run("connections add aa bb \(report)", answers: add).exit == .success)
    #expect(try read(home) == ["ifttt connections add", "aa", "bb"])
    let refresh = Server().answering(200, Server.connection("aa")).answering(500)
    #expect(home.run("connections list --refresh --retries 0 \(report)", answers: refresh).exit == .partial)
    #expect(try read(home).map { String($0.prefix(15)) } == ["ifttt connectio", "aa", "bb ('failure', "])
    #expect(home.run("connections show --stdin \(report)", input: .text("")).exit == .success)
    #expect(try read(home) == ["ifttt connections show"])
  }

  /// A killed run leaves its own unfinished report, not the report of the previous run.
  @Test func theReportIsMarkedUnfinishedUntilTheRunEnds() throws {
    let (home, report) = home()
    let server = Server().answering(200, Server.connection("aa")).answering(200, Server.connection("bb"))
    var meanwhile: [String] = []
    server.whileWaiting = { meanwhile = (try? read(home)) ?? [] }
    #expect(home.run("connections show aa bb \(report)", answers: server).exit == .success)
    #expect(meanwhile == ["ifttt connections show", "run ('error', 'interrupted', 'the run did not finish')"])
  }

  @Test func anErrorBeforeAnyResultIsReported() throws {
    let home = Home()
    let (report, summary) = (home.folder["report.xml"], home.folder["summary.json"])
    let run = home.run("connections disable aa --report junit=\(report) --report summary=\(summary)")
    #expect(run.exit == .credentials, "\(run.errors)")
    let lines = try read(home)
    #expect(lines.count == 2 && lines[1].hasPrefix("run ('error', 'credentials_missing', "), "\(lines)")
    #expect(lines[1].contains("token"), "\(lines)")
    #expect(home.folder.text("summary.json")?.contains(#""errors":{"credentials_missing":1,"interrupted":1}"#) == true)
  }

  /// A run that succeeds without results, such as one that only shows settings, has an empty report.
  @Test func aRunWithoutResultsHasAnEmptyReport() throws {
    let (home, report) = home()
    let server = Server().answering(200, Server.connection("aa"))
    let run = home.run("configure aa --no-input \(report)", answers: server)
    #expect(run.exit == .success, "\(run.errors)")
    #expect(try read(home) == ["ifttt configure"])
  }

  @Test func anUnwritableReportFailsBeforeAnyRequest() {
    let (home, _) = home()
    for path in [home.folder["no/such/folder/report.xml"], home.folder.path] {
      let run = home.run("connections show aa bb --json --report junit=\(path)")
      #expect(run.exit == .failure)
      #expect(run.output == "")
      #expect(run.errors.hasPrefix(#"{"error":{"code":"output_failed","message":"cannot write the report to"#))
    }
  }

  @Test func aDryRunWritesNoReport() {
    let (home, report) = home()
    #expect(home.run("connections show aa bb --dry-run \(report)").exit == .success)
    #expect(home.folder.text("report.xml") == nil)
  }

  @Test(arguments: [("xml=a", "xml"), ("junit", "junit"), ("junit=", "junit="), ("=a", "=a")])
  func anUnknownFormatIsAUsageError(value: String, shown: String) {
    let run = Home().run("connections show aa --report \(value)")
    #expect(run.exit == .usage)
    #expect(run.errors.hasPrefix("ifttt: invalid value '\(shown)' for '--report': expected "), "\(run.errors)")
  }
}
