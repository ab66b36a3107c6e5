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

  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theDriftCheckOpensAnIssue() throws {
    try folder.write("#!/bin/sh\nprintf '%s\\n' \"$@\" >issue\n", to: "bin/gh", isExecutable: true)
    let jobs = "file['jobs']['drift']['steps']"
    #expect(try yaml("drift.yml", "\(jobs)[3]['if']") == "steps.compare.outputs.status == '8'")
    let (compare, open) = (try yaml("drift.yml", "\(jobs)[2]['run']"), try yaml("drift.yml", "\(jobs)[3]['run']"))
    func run(_ before: String) throws -> Tool.Outcome {
      let variables = "export IFTTT_PROFILE=sandbox FILE=wanted.json GITHUB_OUTPUT=output GITHUB_STEP_SUMMARY=summary\n"
      return try self.run(
        "bash", ["-ec", "\(variables)\(before)\n: >output\n(\(compare))\nif grep -x status=8 output; then \(open); fi"])
    }
    let same = try run("ifttt connections export --all >wanted.json")
    #expect(same.status == 0 && same.output == "", "\(same.errors)")
    let other = try run("ifttt connections disable Kd7Rn2Qx >/dev/null")
    #expect(other.status == 0 && other.output == "status=8\n", "\(other.errors)")
    let issue = try String(contentsOfFile: "\(folder.path)/issue", encoding: .utf8)
    #expect(issue == "issue\ncreate\n--title\nConnections differ from their file\n--body-file\ndrift.md\n")
    let body = try String(contentsOfFile: "\(folder.path)/drift.md", encoding: .utf8)
    #expect(body.contains("Kd7Rn2Qx") && body.split(separator: "\n").dropFirst().allSatisfy { $0.hasPrefix("    ") })
    let failed = try run("rm -f issue; echo '{' >wanted.json")
    #expect(failed.status != 0 && !FileManager.default.fileExists(atPath: "\(folder.path)/issue"))
  }

  // MARK: Services

  private static let hasYAML =
    Tool("python3").flatMap { try? $0.run(["-c", "import yaml"], in: ScratchFolder()).status } == 0

  /// Reads a member of a YAML file.
  private func yaml(_ file: String, _ expression: String) throws -> String {
    let script = "import sys, yaml\nfile = yaml.safe_load(open(sys.argv[1]))\nprint(\(expression))"
    let outcome = try run("python3", ["-c", script, file])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return String(outcome.output.dropLast())
  }

  /// The steps of the job, with a stand-in for docker that runs the command here.
  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theServiceContainerServesTheJob() throws {
    let server = try SandboxServer()
    try folder.write(
      "#!/bin/sh\n[ \"$1 $2\" = 'exec service-1' ] || exit 1\nshift 2\nexec env IFTTT_HOME=\"$SERVER_HOME\" \"$@\"\n",
      to: "bin/docker", isExecutable: true)
    let service = try yaml("github-service.yml", "file['jobs']['test']['services']['ifttt']['ports'][0]")
    #expect(service == "8080:8080")
    let script = try run("python3", ["-c", Self.extract, "github-service.yml"])
    let steps = script.output.replacingOccurrences(of: "${{ job.services.ifttt.id }}", with: "service-1")
    let outcome = try run(
      "bash", ["-ec", "export SERVER_HOME='\(server.home.folder.path)'\n\(steps)"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("/v2/connections/Kd7Rn2Qx"), "\(outcome.output)")
  }

  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theServiceServesTheJob() throws {
    let server = try SandboxServer()
    let host = try yaml(
      "gitlab-service.yml", "file['test']['services'][0]['variables']['IFTTT_SANDBOX_ALLOW_HOST']")
    #expect(try yaml("gitlab-service.yml", "file['test']['services'][0]['alias']") == host)
    let variables = try yaml(
      "gitlab-service.yml", "'\\n'.join(f'export {k}={v}' for k, v in file['test']['variables'].items())")
    let lines = try yaml("gitlab-service.yml", "'\\n'.join(file['test']['script'])")
    let job = "\(variables)\n\(lines)".replacingOccurrences(of: "http://\(host):8080", with: server.url)
    let outcome = try run("bash", ["-ec", job])
    #expect(outcome.status == 0 && outcome.output == #"{"status":"ok"}"#, "\(outcome.errors)")
  }

  /// The commands of the containers are valid, and each name is allowed where it is used.
  @Test(.enabled(if: hasYAML, "skipped: needs python3-yaml")) func theComposeFileFitsTogether() throws {
    try folder.write(String(repeating: "k", count: 32), to: "control")
    let start = try yaml("compose.yml", "file['services']['ifttt']['command']")
      .replacingOccurrences(of: "/run/secrets/", with: "\(folder.path)/")
    let allowed = try yaml(
      "compose.yml", "'\\n'.join(f'{k}={v}' for k, v in file['services']['ifttt']['environment'].items())")
    let variables = allowed.split(separator: "\n").map { "export \($0)\n" }.joined()
    let words = start.replacingOccurrences(of: "--port 8080", with: "--port 0")
    let server = try run(
      "bash", ["-ec", "\(variables)ifttt \(words) --detach --json --quiet; ifttt sandbox stop --quiet >stopped"])
    #expect(server.status == 0, "\(server.errors)")
    #expect(server.output.hasPrefix(#"{"url":"http://ifttt:"#), "\(server.output)")
    let requests = try yaml("compose.yml", "file['services']['tests']['command']")
      .replacingOccurrences(of: "/run/secrets/", with: "\(folder.path)/")
    let client = try run("bash", ["-c", "IFTTT_ALLOW_HTTP=ifttt ifttt \(requests)"])
    #expect(client.status == 3, "only the host does not exist here: \(client.errors)")
    #expect(
      try yaml("compose.yml", "file['services']['tests']['environment']['IFTTT_ALLOW_HTTP']") == "ifttt")
  }

  @Test func theCookbookHasTheServices() throws {
    let cookbook = try text("docs/cookbook.md")
    for name in ["github-service.yml", "gitlab-service.yml", "compose.yml"] {
      let lines = try text("Examples/ci/\(name)").split(separator: "\n").map(String.init)
      let body = name.hasPrefix("github") ? lines.drop { !$0.hasPrefix("    services:") } : lines[...]
      #expect(body.count > 5)
      for line in body where !line.hasPrefix("#") { #expect(cookbook.contains(line + "\n"), "\(line)") }
    }
  }

  /// No container engine runs here, so the recipes are compiled. They run the commands of the image.
  @Test func theTestcontainersRecipesCompile() throws {
    let recipes = try text("docs/cookbook.md").components(separatedBy: "### Testcontainers")[1]
    func block(_ language: String) throws -> String {
      let rest = try #require(recipes.components(separatedBy: "```\(language)\n").dropFirst().first)
      return rest.components(separatedBy: "```")[0]
    }
    let python = try run("python3", ["-c", "import sys; compile(sys.argv[1], 'recipe', 'exec')", block("python")])
    #expect(python.status == 0, "\(python.errors)")
    if Tool.isInstalled("node") {
      try folder.write(block("js"), to: "recipe.mjs")
      let node = try run("node", ["--check", "recipe.mjs"])
      #expect(node.status == 0, "\(node.errors)")
    }
    let java = try block("java")
    for text in try [block("python"), block("js"), java] {
      #expect(text.contains(#""ifttt", "sandbox", "env", "--json""#))
      #expect(text.contains(#""ifttt", "sandbox", "reset""#))
    }
    #expect(java.filter { $0 == "{" }.count == java.filter { $0 == "}" }.count)
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
