import Foundation
import JSON
import ProgramDriver
import Support
import Testing

@testable import Session

/// The files with which `plugin new` makes a folder a repository, and plugins that must be built first.
@Suite struct PluginRepositoryTests {
  let plugins = PluginHome()

  private static let languages = [
    ("sh", "command"), ("python", "provider"), ("python", "command"), ("javascript", "both"), ("go", "both"),
    ("go", "command"), ("swift", "both"), ("swift", "command"),
  ]

  private func create(_ language: String, _ kind: String) -> String {
    #expect(plugins.run("plugin new tides --language \(language) --kind \(kind)").exit == .success)
    return plugins.folder["ifttt-tides"]
  }

  /// The workflow as JSON.
  private func workflow(in folder: String) throws -> JSONValue {
    let script = "import json, sys, yaml; print(json.dumps(yaml.load(open(sys.argv[1]), yaml.BaseLoader)))"
    let read = try Tool.required("python3").run(
      ["-c", script, "\(folder)/.github/workflows/release.yml"], in: ScratchFolder())
    #expect(read.status == 0, "\(read.errors)")
    return try JSONValue(parsing: Array(read.output.utf8))
  }

  private static let hasYAML =
    (try? Tool("python3")?.run(["-c", "import yaml"], in: ScratchFolder()).status == 0) == true

  @Test(arguments: languages) func theFolderIsARepository(_ language: String, _ kind: String) throws {
    _ = create(language, kind)
    let ignored = try #require(plugins.folder.text("ifttt-tides/.gitignore")).split(separator: "\n")
    #expect(ignored.contains("SHA256SUMS"))
    #expect(ignored.contains("/plugin/") == (language == "go" || language == "swift"))
    let readme = try #require(plugins.folder.text("ifttt-tides/README.md"))
    #expect(readme.hasPrefix("# ifttt-tides\n") && readme.contains("ifttt plugin test "))
    #expect(readme.contains("make-plugin") == (language == "go" || language == "swift"))
    #expect(readme.contains("IFTTT_PACKAGE") == (language == "swift" && kind == "both"))
    for name in [".gitignore", "README.md", ".github/workflows/release.yml"] {
      #expect(plugins.folder.text("ifttt-tides/\(name)")?.contains("@") == (name.hasSuffix("yml")), "\(name)")
      #expect(plugins.folder.text("ifttt-tides/\(name)")?.contains("@NAME@") == false, "\(name)")
    }
  }

  @Test(.enabled(if: hasYAML, "skipped: needs python3 with PyYAML"), arguments: languages)
  func theWorkflowPublishesTags(_ language: String, _ kind: String) throws {
    let document = try workflow(in: create(language, kind))
    #expect(document["on"] == ["push": ["tags": ["v*"]]])
    #expect(document["permissions"] == ["contents": "read"])
    let jobs = try #require(document["jobs"]?.object?.members)
    #expect(jobs.map(\.key) == (language == "swift" ? ["build", "publish"] : ["release"]))
    #expect(jobs.last?.value["permissions"] == ["contents": "write"])
    for step in jobs.flatMap({ $0.value["steps"]?.array ?? [] }) {
      guard let action = step["uses"]?.string else { continue }
      // A commit cannot be moved. The program itself comes from the repository of the program that wrote this file.
      let isOwn = action == "OWNER/ifttt@v\(programVersion)"
      #expect(isOwn || action.wholeMatch(of: /actions\/[a-z-]+@[0-9a-f]{40}/) != nil, "\(action)")
    }
    let publish = jobs.last?.value["steps"]?.array?.last?["run"]?.string
    #expect(publish?.contains("gh release create \"$GITHUB_REF_NAME\" dist/*") == true)
  }

  /// The signed archive of the workflow can be installed from its index.
  @Test(
    .enabled(
      if: hasYAML && Tool.isInstalled("git") && Tool.isInstalled("ssh-keygen"),
      "skipped: needs git, ssh-keygen, and python3 with PyYAML"), arguments: [("sh", "command"), ("python", "both")])
  func theArchiveCanBeInstalled(_ language: String, _ kind: String) throws {
    let folder = create(language, kind)
    let steps = try workflow(in: folder)["jobs"]?["release"]?["steps"]?.array ?? []
    let package = try #require(steps.first { $0["name"]?.string == "Package" }?["run"]?.string)
    try FileManager.default.createSymbolicLink(
      atPath: plugins.folder["ifttt"], withDestinationPath: BuiltProduct.path("ifttt"))
    let commit = "git init -q . && git add -A && git -c user.name=A -c user.email=a@a.test commit -q -m All"
    let key = """
      ssh-keygen -q -t ed25519 -N '' -C tides -f "$RUNNER_TEMP/own"
      export SIGNING_KEY="$(cat "$RUNNER_TEMP/own")"
      """
    let install = """
      ifttt -q plugin trust add tides "$RUNNER_TEMP/own.pub"
      ifttt -q plugin index add tides ./dist/index.json
      ifttt plugin install tides --yes --output tsv --no-header --fields version,signer
      """
    let run = try Tool.required("bash").run(
      ["-ec", "cd \"$0\" && \(commit)\n\(key)\n\(package)\n\(install)", folder], in: ScratchFolder(),
      environment: [
        "GITHUB_REF_NAME": "v0.1.0", "HOME": plugins.folder.path, "RUNNER_TEMP": plugins.folder.path,
        "PATH": "\(plugins.folder.path):\(ProcessInfo.processInfo.environment["PATH"] ?? "")",
        "IFTTT_HOME": plugins.folder["runner"],
      ])
    #expect(run.status == 0 && run.output.hasSuffix("0.1.0\ttides\n"), "\(run)")
    #expect(plugins.folder.text("ifttt-tides/dist/SHA256SUMS")?.hasSuffix("  tides-0.1.0-any.tar.gz\n") == true)
  }

  // MARK: Before the build

  @Test(arguments: ["test", "link", "install", "package"], ["go", "swift"])
  func aPluginThatIsNotBuiltIsRejected(_ command: String, _ language: String) {
    let folder = create(language, "both")
    let outcome = plugins.run("plugin \(command) \(folder)")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.hasPrefix("ifttt: plugin 'tides' is not built\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("\(folder)/make-plugin"))
    #expect(outcome.errors.contains("ifttt plugin \(command) \(folder)/plugin"), "\(outcome.errors)")
  }

  @Test(arguments: ["test", "link", "install", "package"]) func theBuiltFolderIsNamed(_ command: String) throws {
    let folder = create("go", "both")
    try FileManager.default.createDirectory(atPath: "\(folder)/plugin", withIntermediateDirectories: true)
    plugins.folder.write("ifttt-tides/plugin/ifttt-tides", "", mode: 0o700)
    plugins.folder.write("ifttt-tides/plugin/plugin.json", "{}")
    let outcome = plugins.run("plugin \(command) \(folder)/")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.hasPrefix("ifttt: this is the folder of the source code of plugin 'tides'\n"))
    #expect(outcome.errors.contains("ifttt plugin \(command) \(folder)/plugin"), "\(outcome.errors)")
  }

  @Test func aMissingExecutableIsNamed() throws {
    let path = try plugins.write("shelf")
    try FileManager.default.removeItem(atPath: "\(path)/run")
    let outcome = plugins.run("plugin link \(path)")
    #expect(outcome.exit == .failure)
    #expect(outcome.errors.hasPrefix("ifttt: the executable of plugin 'shelf' is missing\n"), "\(outcome.errors)")
  }

  // MARK: Names and manifests

  @Test func theNameOfABundledPluginIsRejected() throws {
    try plugins.bundle("grab")
    for command in ["plugin new grab", "plugin package \(try plugins.write("grab"))"] {
      let outcome = plugins.run(command)
      #expect(outcome.exit == .failure)
      #expect(outcome.errors.contains("a plugin with this name is included with the program"), "\(outcome.errors)")
    }
    #expect(plugins.run("plugin new grub").exit == .success)
  }

  @Test(arguments: [
    (#""kind": "command", "colour": 1"#, "the manifest has the unknown member 'colour'"),
    (#""kind": "command", "environment": ["IFTTT_SERVICE_KEY"]"#, "'environment' lists IFTTT_SERVICE_KEY"),
    (#""kind": "provider", "protocol": ["9"]"#, "it supports protocol '9'"),
  ])
  func whatInstallRejectsIsNotPackaged(_ members: String, _ reason: String) throws {
    let manifest = #"{"schema_version": 1, "name": "NAME", "version": "1", "summary": "S", "executable": "run", "#
    let path = try plugins.write("shelf", manifest: manifest + members + "}")
    for command in ["install --yes", "package"] {
      let outcome = plugins.run("plugin \(command) \(path) --json")
      #expect(outcome.exit == .failure)
      #expect(outcome.errors.contains(reason), "\(outcome.errors)")
    }
    #expect(!plugins.folder.names.contains { $0.hasSuffix(".tar.gz") })
  }
}
