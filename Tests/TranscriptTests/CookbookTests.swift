import Foundation
import Support
import Testing

/// The cookbook's excerpts of the CI examples, which `CIExampleTests` runs, and its recipes for containers and
/// geofences.
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
    for name in ["Makefile", "github.yml", "gitlab.yml", "gitlab-drift.yml"] {
      let lines = try text("Examples/ci/\(name)").split(separator: "\n")
      let body = lines.drop { name == "github.yml" && !$0.hasPrefix("    steps:") }.filter { !$0.hasPrefix("#") }
      #expect(body.count > 10)
      for line in body { #expect(cookbook.contains(line + "\n"), "\(line)") }
    }
  }
}
