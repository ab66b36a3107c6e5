import Foundation
import Support
import Testing

/// The code blocks of README.md, docs/guide.md, docs/cookbook.md and docs/plugins.md, run as written in an empty home, with
/// the sandbox.
///
/// `CookbookTests` runs the cookbook's YAML and make blocks, which are files in Examples/ci. packaging/site/check/blocks.py
/// reads the lists below: a shell block of any document must be in one of them.
@Suite(
  .enabled(
    if: ["bash", "curl", "jq", "python3"].allSatisfy { Tool.isInstalled($0) }, "skipped: needs curl, jq and python3"))
struct DocumentTests {
  static let documents = ["README.md", "docs/guide.md", "docs/cookbook.md", "docs/plugins.md"]
  /// Documents with shell blocks of which none is run.
  static let exemptDocuments = [
    "CONTRIBUTING.md", "Examples/fleet/README.md", "docs/fleet.md", "docs/macos.md", "docs/releasing.md",
  ]
  /// The blocks that are not run, by their first line, each with the reason.
  static let exempt = [
    "ssh-keygen -Y verify -f signers -I release@ifttt -n ifttt-release -s SHA256SUMS.sig <SHA256SUMS":
      "needs a release; packaging/release/tests/document_tests.py has one",
    "keyring=/usr/share/keyrings/ifttt-archive-keyring.gpg url=https://OWNER.github.io/apt":
      "needs root and a server; packaging/tests/test_apt.py has both",
    "script/demo               # installs what is missing, builds the program, runs the main job in the sandbox":
      "builds the program",
    "ifttt init": "needs a terminal; `InitTests` has one",
    "script/release 0.2.0 --dry-run --skip-ci   # everything but the checks, in a scratch clone; nothing is kept":
      "makes a release; packaging/release/tests/document_tests.py runs it with stand-ins",
    "script/bootstrap test": "needs a Mac",
    "ifttt plugin index add acme https://plugins.example.com/index.json": "needs a server; `PluginStoryTests` has one",
    "ifttt plugin install https://plugins.example.com/shelf-1.2.0-any.tar.gz":
      "needs a server; `WebPluginTests` and `GitPluginTests` have one",
    "ifttt plugin index add private https://plugins.example.com/private/index.json --header-file header.txt":
      "needs a server; `PrivateIndexTests` has one",
    "$ script/bootstrap test   # installs what the build and the tests need (Debian, Ubuntu, Homebrew), and Swift":
      "installs packages, builds the program and runs all tests",
    "ifttt sandbox start --users 10000 >sandbox.json &": "`FleetTests` runs the script",
    "$ python3 Examples/fleet/simulate.py": "takes a minute; `FleetTests` simulates fewer users",
    "seq 8 | parallel --jobs 8 '": "`FleetTests` runs it",
    "ifttt token exchange --users users.jsonl --shard auto >/dev/null": "`FleetTests` runs it as a script of Slurm",
    "sbatch --array=1-64 --wait apply.sh": "`FleetTests` runs it with four shards",
    "kubectl create secret generic ifttt --from-file=service-key":
      "needs a cluster; `FleetTests` runs the job's command in each shard",
    "gh workflow run users": "needs GitHub; `FleetTests` runs the steps of the workflow",
  ]
  let folder: ScratchFolder

  /// A folder with the files that the blocks read, and the built program on PATH.
  init() throws {
    folder = try ScratchFolder()
    for name in try Checkout.files(in: "Examples/ci") {
      let file = String(name.dropFirst("Examples/ci/".count))
      try FileManager.default.copyItem(atPath: Checkout.path(name), toPath: "\(folder.path)/\(file)")
    }
    try folder.write(try Checkout.text("Examples/location/walk.gpx"), to: "walk.gpx")
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/Examples/plugins", withIntermediateDirectories: true)
    for name in ["Examples/service", "Examples/plugins/ifttt-mcp"] {
      try FileManager.default.copyItem(atPath: Checkout.path(name), toPath: "\(folder.path)/\(name)")
    }
    try FileManager.default.createDirectory(atPath: "\(folder.path)/bin", withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder.path)/bin/ifttt", withDestinationPath: Home.program)
    for (name, script) in Self.passwordManagers { try folder.write(script, to: "bin/\(name)", isExecutable: true) }
  }

  /// Stand-ins for password managers. Each prints the sandbox's service key for exactly the arguments that the cookbook
  /// shows; `pass` also keeps what is inserted.
  private static let passwordManagers = [
    "op read op://Private/ifttt/service-key", "vault kv get -field=service_key secret/ifttt",
    "pass show ifttt/service-key", "bw get password ifttt", "secret-tool lookup service ifttt",
  ].reduce(into: [String: String]()) { scripts, line in
    let words = line.split(separator: " ", maxSplits: 1).map(String.init)
    scripts[words[0]] = """
      #!/bin/sh
      saved="${0%/bin/*}/inserted"
      case "$*" in
        "\(words[1])") echo sandbox-key-lampost-7hQ2xV9mTz4LcB1n ;;
        "insert --multiline ifttt/store-key") cat >"$saved" ;;
        "show ifttt/store-key") cat "$saved" ;;
        *) echo "unexpected arguments: $*" >&2; exit 1 ;;
      esac

      """
  }

  private func run(_ words: String...) throws -> Tool.Outcome {
    let path = "\(folder.path)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin")"
    let browser = Checkout.path("Tests/TranscriptTests/Servers/browser.py")
    return try Tool.required("bash").run(
      words, in: folder,
      environment: [
        "PATH": path, "IFTTT_HOME": "\(folder.path)/home",
        "BROWSER": "\(try Tool.required("python3").path) -B \(browser) follow \(folder.path)/seen %s",
      ])
  }

  @Test func everyBlockIsRunOrExempt() throws {
    let blocks = try (Self.documents + Self.exemptDocuments).flatMap { try CodeBlock.blocks(of: $0) }
    let languages: Set = ["console", "java", "js", "json", "make", "python", "sh", "swift", "text", "yaml"]
    #expect(Set(blocks.map(\.language)).isSubset(of: languages))
    for line in Self.exempt.keys {
      #expect(blocks.contains { $0.lines.first == line }, "no block begins with: \(line)")
    }
  }

  @Test func sessionsPrintTheShownOutput() throws {
    let blocks = try Self.documents.flatMap { try CodeBlock.blocks(of: $0) }
    let steps = blocks.filter { $0.language == "console" }.flatMap(\.steps)
    #expect(steps.count >= 20)
    for step in steps {
      let outcome = try run("-c", "{ \(step.command)\n} 2>&1")
      #expect(outcome.output == step.output, "\(step.command)")
      // A command fails exactly if the document shows its error.
      let fails = step.output.hasPrefix("ifttt: ") || step.output.contains("\nifttt: ")
      #expect((outcome.status != 0) == fails, "\(step.command): exit \(outcome.status)")
    }
  }

  /// A server with the connections of a document, and the credentials for it.
  /// - Parameters:
  ///   - edits: for sed: the ids and names in the document instead of those of the fixtures.
  ///   - home: the name of the folder for the reader's own data.
  static func service(_ edits: String = "", home: String = "home") -> String {
    """
    ifttt sandbox seed | sed '\(edits)' >seed.json
    echo sandbox-key-lampost-7hQ2xV9mTz4LcB1n >key.txt
    echo at_7f20c1 >access-token.txt
    export IFTTT_HOME=$PWD/server
    ifttt sandbox start --seed seed.json --outcome complete >server.json &
    trap "kill $!; wait" EXIT
    eval "$(ifttt sandbox env --wait 30s | grep _URL=)"
    export IFTTT_HOME=$PWD/\(home)

    """
  }

  /// All blocks of the README and the guide in one shell, as a reader enters them.
  @Test func theReadmeConnectsAService() throws {
    let blocks = try CodeBlock.blocks(of: "README.md") + CodeBlock.blocks(of: "docs/guide.md")
    let scripts = blocks.filter { $0.language == "sh" && Self.exempt[$0.lines[0]] == nil }
    #expect(scripts.count >= 3)
    let jobs = blocks.filter { $0.language == "yaml" }
    let job = try #require(jobs.first).text.components(separatedBy: "run: |\n").last ?? ""
    let variables = """
      export IFTTT_SERVICE_KEY=$(cat key.txt) IFTTT_ACCESS_TOKEN=$(cat access-token.txt) IFTTT_USER_ID=u-5521

      """
    let service = Self.service()
    let outcome = try run("-exc", service + scripts.map(\.text).joined() + variables + job)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.contains("Saved the user token of 'kai_lamps' in profile 'mine'."), "\(outcome.errors)")
  }

  /// All shell blocks of the page about plugins in one shell: a later block uses the files of an earlier one.
  @Test(.enabled(if: Tool.isInstalled("ssh-keygen"), "skipped: needs ssh-keygen"))
  func thePageAboutPluginsWorks() throws {
    let blocks = try CodeBlock.blocks(of: "docs/plugins.md")
    let scripts = blocks.filter { $0.language == "sh" && Self.exempt[$0.lines[0]] == nil }
    #expect(scripts.count >= 3)
    let outcome = try run("-exc", scripts.map(\.text).joined())
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("disabled") && outcome.output.contains("Installed: "), "\(outcome.output)")
  }

  /// Each block of the cookbook in a shell of its own. Recordings and files remain for the following blocks.
  @Test func theCookbookWorks() throws {
    let list = try run("-c", "ifttt --profile sandbox connections list --fields id,status -o tsv >expected.tsv")
    #expect(list.status == 0, "\(list.errors)")
    let scripts = try CodeBlock.blocks(of: "docs/cookbook.md").filter { $0.language == "sh" }
    #expect(scripts.count >= 5)
    for script in scripts where Self.exempt[script.lines[0]] == nil {
      let outcome = try run("-exc", script.withServer)
      #expect(outcome.status == 0, "\(script.text)\(outcome.errors)")
    }
  }
}

/// A code block of a document.
struct CodeBlock {
  let language: String
  let lines: [String]
  var text: String { lines.map { $0 + "\n" }.joined() }

  /// The code blocks of a document of the repository.
  static func blocks(of document: String) throws -> [CodeBlock] {
    let parts = try Checkout.text(document).components(separatedBy: "```")
    return stride(from: 1, to: parts.count, by: 2).map { index in
      let lines = parts[index].components(separatedBy: "\n")
      return CodeBlock(language: lines[0], lines: Array(lines.dropFirst().dropLast()))
    }
  }

  /// The commands of a session, each with its output.
  var steps: [(command: String, output: String)] {
    var steps: [(command: String, output: String)] = []
    for line in lines {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), ""))
      } else if let last = steps.indices.last {
        steps[last].output += line + "\n"
      }
    }
    return steps
  }

  /// The block with a server around it if it uses one that it does not start, and otherwise with the sandbox profile.
  /// The reader's own profile `mine` has a home of its own, since it becomes the default.
  var withServer: String {
    if text.contains(" mine ") { return DocumentTests.service(home: "mine") + text }
    if text.contains("sandbox start") { return text + "wait || true\n" }
    guard text.contains("ifttt sandbox") else { return "export IFTTT_PROFILE=sandbox\n" + text }
    return """
      ifttt sandbox start >server.json &
      trap "kill $!; wait" EXIT
      ifttt sandbox env --wait 30s >server.env
      \(text)
      """
  }
}
