import Foundation
import Support
import Testing

/// The continuous integration examples, run as written, and their excerpts in the cookbook.
@Suite(.enabled(if: Tool.isInstalled("curl") && Tool.isInstalled("jq"), "skipped: needs curl and jq"))
struct CookbookTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../..").standardizedFileURL
  let folder: ScratchFolder

  /// A copy of the examples, with the built program on PATH.
  init() throws {
    folder = try ScratchFolder()
    let examples = Self.root.appendingPathComponent("Examples/ci")
    for name in try FileManager.default.contentsOfDirectory(atPath: examples.path) {
      try FileManager.default.copyItem(
        at: examples.appendingPathComponent(name), to: folder.url.appendingPathComponent(name))
    }
    try FileManager.default.createDirectory(
      at: folder.url.appendingPathComponent("bin"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/bin/ifttt", withDestinationPath: Home.program)
  }

  private func run(_ program: String, _ words: [String]) throws -> Tool.Outcome {
    let path = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    return try Tool.required(program).run(
      words, in: folder, environment: ["PATH": path, "IFTTT_HOME": "\(folder.path)/home"])
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test(.enabled(if: Tool.isInstalled("make"), "skipped: needs make")) func theMakefileTestsTheApp() throws {
    let outcome = try run("make", ["--silent", "test"])
    #expect(outcome.output == "The app passed.\n", "\(outcome.errors)")
    #expect(outcome.status == 0)
    #expect(!FileManager.default.fileExists(atPath: "\(folder.path)/ready.json"), "the server has ended")
  }

  /// Extract the commands of a job, as GitHub and GitLab read them.
  private static let extract = """
    import sys, yaml
    job = yaml.safe_load(open(sys.argv[1]))
    if "jobs" in job:
        steps = [step["run"] for step in job["jobs"]["test"]["steps"] if "run" in step]
        # Each step is a shell of its own, with what earlier steps left in GITHUB_ENV.
        print("set -e; export GITHUB_ENV=$PWD/github-env; : >$GITHUB_ENV")
        for step in steps:
            print("(\\nset -a; . $GITHUB_ENV; set +a\\n" + step + "\\n)")
    else:
        test = job["test"]
        print("(\\nset -e\\n" + "\\n".join(test["before_script"] + test["script"]) + "\\n)")
        print("\\n".join(test["after_script"]))
    """

  @Test(
    .enabled(
      if: Tool("python3").flatMap { try? $0.run(["-c", "import yaml"], in: ScratchFolder()).status } == 0,
      "skipped: needs python3-yaml"), arguments: ["github.yml", "gitlab.yml"])
  func theCIJobsTestTheApp(_ file: String) throws {
    let script = try run("python3", ["-c", Self.extract, file])
    #expect(script.status == 0, "\(script.errors)")
    let end = "\nkill $(jq -r .pid home/sandbox-server-*.json)\n"
    let outcome = try run("bash", ["-c", script.output + end])
    #expect(outcome.output.contains("The app passed.\n"), "\(outcome.errors)")
    #expect(outcome.output.contains("/v2/connections/Kd7Rn2Qx"), "\(outcome.output)")
    #expect(outcome.status == 0)
  }

  /// The recipe exactly as printed.
  @Test func theGeofenceReachesTheService() throws {
    let walk = Self.root.appendingPathComponent("Examples/location/walk.gpx")
    try FileManager.default.copyItem(at: walk, to: folder.url.appendingPathComponent("walk.gpx"))
    let recipe = try text("docs/cookbook.md").components(separatedBy: "## Test a geofenced connection")[1]
    let script = recipe.components(separatedBy: "```")[1].dropFirst("sh".count)
    let outcome = try run("bash", ["-ec", "\(script)\nwait || true\n"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("not_sent") && outcome.output.contains("accepted"), "\(outcome.output)")
    #expect(outcome.output.contains(#"{"OccurredAt":"March 04, 2026 at 05:42PM","#), "\(outcome.output)")
    #expect(try String(contentsOfFile: "\(folder.path)/map.html", encoding: .utf8).contains("1 exit"))
  }

  @Test func theCookbookMatchesTheFiles() throws {
    let cookbook = try text("docs/cookbook.md")
    for name in ["Makefile", "github.yml", "gitlab.yml"] {
      let lines = try text("Examples/ci/\(name)").split(separator: "\n", omittingEmptySubsequences: false)
      let body = lines.drop { !$0.contains("sandbox start") && !$0.contains(".PHONY") && !$0.hasPrefix("test:") }
      for line in body where !line.isEmpty && !line.hasPrefix("#") { #expect(cookbook.contains(line), "\(line)") }
    }
  }
}
