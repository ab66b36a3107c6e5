import Foundation
import Support
import Testing

/// The CI examples, run as given: each installs the program from a local release, then runs its steps.
@Suite(
  .enabled(
    if: CIJob.hasYAML && ["curl", "jq", "sha256sum"].allSatisfy { Tool.isInstalled($0) },
    "skipped: needs curl, jq, python3-yaml and sha256sum"))
struct CIExampleTests {
  let folder: ScratchFolder

  /// A checkout with the examples, and a folder for stand-ins.
  init() throws {
    folder = try ScratchFolder()
    for name in try Checkout.files(in: "Examples/ci") {
      let file = String(name.dropFirst("Examples/ci/".count))
      let isProgram = FileManager.default.isExecutableFile(atPath: Checkout.path(name))
      try folder.write(try Checkout.text(name), to: "checkout/\(file)", isExecutable: isProgram)
    }
    try folder.write("", to: "bin/empty")
  }

  /// Runs the built program in the home of the jobs.
  @discardableResult
  private func ifttt(_ words: String...) throws -> String {
    let outcome = try #require(Tool(path: Home.program)).run(
      words, in: folder, environment: ["IFTTT_HOME": "\(folder.path)/home", "IFTTT_PROFILE": "sandbox"])
    try #require(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  /// Reads a member of a YAML file.
  private func yaml(_ file: String, _ expression: String) throws -> String {
    let script = "import sys, yaml\nfile = yaml.safe_load(open(sys.argv[1]))\nprint(\(expression))"
    let outcome = try Tool.required("python3").run(["-c", script, "\(folder.path)/checkout/\(file)"], in: folder)
    try #require(outcome.status == 0, "\(outcome.errors)")
    return String(outcome.output.dropLast())
  }

  @Test(.enabled(if: Tool.isInstalled("make"), "skipped: needs make")) func theMakefileInstallsAndTests() throws {
    let release = try LocalRelease.shared.get()
    let checkout = "\(folder.path)/checkout"
    func make(_ checksum: String) throws -> Tool.Outcome {
      try Tool.required("make").run(
        ["--silent", "-C", checkout, "test", "RELEASE=\(release.url)", "CHECKSUM=\(checksum)"], in: folder,
        environment: ["IFTTT_HOME": "\(folder.path)/home"])
    }
    let wrong = try make(String(repeating: "0", count: 64))
    #expect(wrong.status != 0 && !FileManager.default.fileExists(atPath: "\(checkout)/\(LocalRelease.name)"))
    let first = try make(release.checksum)
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "\(LocalRelease.name).tar.gz: OK\nThe app passed.\n")
    let second = try make("not needed")
    #expect(second.output == "The app passed.\n", "\(second.errors)")
    #expect(!FileManager.default.fileExists(atPath: "\(checkout)/ready.json"), "the server has ended")
  }

  @Test func theGitHubJobInstallsAndTests() throws {
    let outcome = try CIJob(.github, "github.yml", "test").run(in: folder)
    #expect(outcome.succeeds, "\(outcome.log)")
    #expect(outcome.steps == ["actions/checkout@v4", "OWNER/ifttt@COMMIT", "Start the sandbox", "Test"])
    #expect(outcome.log.contains("Installed ifttt ") && outcome.log.contains("The app passed.\n"), "\(outcome.log)")
  }

  @Test func aFailedGitHubJobShowsTheRequests() throws {
    try folder.write("#!/bin/sh\n./lamps Kd7Rn2Qx\nexit 1\n", to: "checkout/test", isExecutable: true)
    let outcome = try CIJob(.github, "github.yml", "test").run(in: folder)
    #expect(!outcome.succeeds && outcome.steps.last == "Show the requests of the app", "\(outcome.log)")
    #expect(outcome.log.contains("/v2/connections/Kd7Rn2Qx"), "\(outcome.log)")
  }

  @Test func theGitLabJobInstallsAndTests() throws {
    var job = CIJob(.gitlab, "gitlab.yml", "test")
    job.replacements = try LocalRelease.shared.get().replacements
    let outcome = try job.run(in: folder)
    #expect(outcome.succeeds, "\(outcome.log)")
    #expect(outcome.log.contains("The app passed.\n") && outcome.log.contains("/v2/connections/Kd7Rn2Qx"))
    job.replacements["CHECKSUM "] = String(repeating: "0", count: 64) + " "
    let wrong = try job.run(in: folder)
    #expect(!wrong.succeeds && !wrong.log.contains("The app passed."), "\(wrong.log)")
  }

  // MARK: Drift

  @Test func theDriftCheckOpensAnIssue() throws {
    let issue = "\(folder.path)/issue"
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\" >\(issue)\n", to: "bin/gh", isExecutable: true)
    func run() throws -> CIJob.Outcome {
      var job = CIJob(.github, "drift.yml", "drift")
      job.values = ["secrets.IFTTT_USER_TOKEN": "", "inputs.file": "", "github.token": "token"]
      return try job.run(in: folder, ["IFTTT_PROFILE": "sandbox"])
    }
    try folder.write(try ifttt("connections", "export", "--all"), to: "checkout/connections.json")
    let same = try run()
    #expect(same.succeeds && same.steps.last == "Compare", "\(same.log)")
    #expect(same.summary.contains("### ifttt connections diff\n\n"), "\(same.summary)")
    #expect(same.summary.contains(", 0 failed.\n"), "\(same.summary)")
    try ifttt("connections", "disable", "Kd7Rn2Qx")
    let other = try run()
    #expect(!other.succeeds && other.steps.last == "Open an issue", "\(other.log)")
    #expect(
      other.summary.contains("| <code>Kd7Rn2Qx</code> | failed&#58; differs | <code>1 difference"), "\(other.summary)")
    #expect(
      try String(contentsOfFile: issue, encoding: .utf8)
        == "issue\ncreate\n--title\nConnections differ from their file\n--body-file\ndrift.md\n")
    let body = try #require(other.file("drift.md"))
    #expect(body.contains("Kd7Rn2Qx") && body.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("    ") })
    try FileManager.default.removeItem(atPath: issue)
    try folder.write("{", to: "checkout/connections.json")
    let failed = try run()
    #expect(!failed.succeeds && failed.steps.last == "Compare", "\(failed.log)")
    #expect(!FileManager.default.fileExists(atPath: issue))
  }

  /// The counts reach the second job as variables.
  @Test func theGitLabDriftCheckReportsDifferences() throws {
    func run() throws -> [CIJob.Outcome] {
      var first = CIJob(.gitlab, "gitlab-drift.yml", "compare")
      first.replacements = try LocalRelease.shared.get().replacements
      let compared = try first.run(in: folder, ["IFTTT_PROFILE": "sandbox"])
      var second = CIJob(.gitlab, "gitlab-drift.yml", "drift")
      second.needed = compared.workspace
      return [compared, try second.run(in: folder)]
    }
    try folder.write(try ifttt("connections", "export", "--all"), to: "checkout/connections.json")
    let same = try run()
    #expect(same[0].succeeds && same[1].succeeds, "\(same.map(\.log))")
    #expect(same[0].file("differences.json") == "[\n]\n")
    try ifttt("connections", "disable", "Kd7Rn2Qx")
    let other = try run()
    #expect(other[0].succeeds && !other[1].succeeds, "\(other.map(\.log))")
    let total = try #require(same[0].file("counts.env")?.split(separator: "\n").first?.split(separator: "=").last)
    #expect(other[1].log == "1 of \(total) connections differ from the file.\n")
    #expect(other[0].file("junit.xml")?.contains(#"failures="1""#) == true)
    let found = try #require(other[0].file("differences.json"))
    #expect(found.contains(#""description":"Kd7Rn2Qx: status: disabled → enabled""#), "\(found)")
  }

  // MARK: Services

  /// The sandbox runs as a process in place of the container, and a stand-in for docker runs the command here.
  @Test func theServiceContainerServesTheJob() throws {
    let server = try SandboxServer()
    try folder.write(
      """
      #!/bin/sh
      [ "$1 $2 $3" = 'exec service-1 ifttt' ] || exit 1
      shift 3
      exec env IFTTT_HOME='\(server.home.folder.path)' '\(Home.program)' "$@"

      """, to: "bin/docker", isExecutable: true)
    #expect(try yaml("github-service.yml", "file['jobs']['test']['services']['ifttt']['ports'][0]") == "8080:8080")
    var job = CIJob(.github, "github-service.yml", "test")
    job.values = ["job.services.ifttt.id": "service-1"]
    let outcome = try job.run(in: folder)
    #expect(outcome.succeeds, "\(outcome.log)")
    #expect(outcome.steps.count == 4 && outcome.log.contains("/v2/connections/Kd7Rn2Qx"), "\(outcome.log)")
  }

  /// The sandbox runs as a process in place of the service, at another address.
  @Test func theServiceServesTheJob() throws {
    let server = try SandboxServer()
    let host = try yaml(
      "gitlab-service.yml", "file['test']['services'][0]['variables']['IFTTT_SANDBOX_ALLOW_HOST']")
    #expect(try yaml("gitlab-service.yml", "file['test']['services'][0]['alias']") == host)
    var job = CIJob(.gitlab, "gitlab-service.yml", "test")
    job.replacements = ["http://\(host):8080": server.url]
    let outcome = try job.run(in: folder)
    #expect(outcome.succeeds && outcome.log == #"{"status":"ok"}"#, "\(outcome.log)")
  }

  /// The commands of the containers are valid, and each name is allowed where it is used.
  @Test func theComposeFileFitsTogether() throws {
    try folder.write(String(repeating: "k", count: 32), to: "control")
    try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/bin/ifttt", withDestinationPath: Home.program)
    func run(_ script: String) throws -> Tool.Outcome {
      try Tool.required("bash").run(
        ["-ec", script], in: folder,
        environment: [
          "PATH": "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")",
          "IFTTT_HOME": "\(folder.path)/home",
        ])
    }
    let start = try yaml("compose.yml", "file['services']['ifttt']['command']")
      .replacingOccurrences(of: "/run/secrets/", with: "\(folder.path)/")
    let allowed = try yaml(
      "compose.yml", "'\\n'.join(f'{k}={v}' for k, v in file['services']['ifttt']['environment'].items())")
    let variables = allowed.split(separator: "\n").map { "export \($0)\n" }.joined()
    let words = start.replacingOccurrences(of: "--port 8080", with: "--port 0")
    let server = try run("\(variables)ifttt \(words) --detach --json --quiet; ifttt sandbox stop --quiet >stopped")
    #expect(server.status == 0, "\(server.errors)")
    #expect(server.output.hasPrefix(#"{"url":"http://ifttt:"#), "\(server.output)")
    let requests = try yaml("compose.yml", "file['services']['tests']['command']")
      .replacingOccurrences(of: "/run/secrets/", with: "\(folder.path)/")
    let client = try run("IFTTT_ALLOW_HTTP=ifttt ifttt \(requests)")
    #expect(client.status == 3, "only the host does not exist here: \(client.errors)")
    #expect(try yaml("compose.yml", "file['services']['tests']['environment']['IFTTT_ALLOW_HTTP']") == "ifttt")
  }
}
