import CommandLine
import Foundation
import ProgramDriver
import Support
import Testing

@testable import Commands
@testable import Session

/// Every example of every page works when it is typed into a shell by a user of the sandbox.
@Suite struct TreeExampleTests {
  /// Those of `init` need a terminal; `InitTests` types the responses.
  private static let examples = CommandPosition(root: Root.tree.ownSchema).subtree.filter { $0.path != ["init"] }
    .flatMap(\.command.examples).map(\.arguments)

  /// What every example may need, made once: files, a signed-in user, a backup, and a change to undo.
  private static let prepared = Result {
    let folder = try ScratchFolder()
    try folder.write(try Checkout.text("Examples/location/walk.gpx"), to: "walk.gpx")
    try folder.write(try Checkout.text("Examples/connections.json"), to: "connections.json")
    try folder.write("a-service-key-for-an-example\n", to: "key.txt")
    try folder.write("user_id,access_token\nu-5521,at_7f20c1\n", to: "users.csv")
    for number in 1...2 { try folder.write(SampleSummary.text(ofShard: number, of: 2), to: "shard-\(number).json") }
    try folder.write(try Checkout.text("Examples/service/definition.json"), to: "definition.json")
    // A key for a command to print.
    try folder.write(String(repeating: "0123456789abcdef", count: 4), to: "command.key")
    let program = try #require(Tool(path: BuiltProduct.path("ifttt")))
    let environment = [
      "IFTTT_HOME": folder.path + "/home", "IFTTT_PROFILE": "sandbox", "IFTTT_ACCESS_TOKEN": "at_7f20c1",
    ]
    for words in [
      ["-q", "token", "exchange"], ["store", "backup", "before.db", "--with-key", "before.key"],
      ["-q", "connections", "disable", "Wd5Po8Rk"],
    ] {
      let outcome = try program.run(words, in: folder, environment: environment)
      #expect(outcome.status == 0, "\(words): \(outcome.errors)")
    }
    return folder
  }

  @Test(arguments: examples) func everyExampleWorks(example: String) throws {
    let folder = try ScratchFolder(copying: Self.prepared.get())
    let program = try #require(Tool(path: BuiltProduct.path("ifttt")))
    let bash = try Tool.required("bash")
    var environment = [
      "IFTTT_HOME": folder.path + "/home", "IFTTT_PROFILE": "sandbox", "IFTTT": program.path,
      // The sandbox's own token; an example that reads stdin gets it through the pipe instead.
      "IFTTT_ACCESS_TOKEN": "at_7f20c1",
      // A browser that opens nothing.
      "BROWSER": "true",
    ]
    if example.hasPrefix("service listen") || example.hasPrefix("service events") {
      return try workWithWebhooks(example, bash, folder, environment)
    }
    if example.hasPrefix("sandbox ") { return try workOnAServer(example, program, bash, folder, environment) }
    if example.hasPrefix("service test ") || example.hasPrefix("service call ") {
      return try workOnAPartnersServer(example, program, bash, folder)
    }
    if ["plugin test ", "plugin link ", "plugin unlink "].contains(where: example.hasPrefix) {
      for name in ["plugin.json", "ifttt-feeds", "ifttt_plugin.py"] {
        let text = try Checkout.text("Examples/plugins/feeds/\(name)")
        try folder.write(text, to: "ifttt-feeds/\(name)", isExecutable: name == "ifttt-feeds")
      }
      if example.hasPrefix("plugin unlink") {
        let words = ["plugin", "link", "./ifttt-feeds", "--yes"]
        #expect(try program.run(words, in: folder, environment: environment).status == 0)
      }
    } else if example.hasPrefix("plugin ") {
      for name in try Checkout.files(in: "Examples/plugins/ifttt-hello") {
        let file = name.dropFirst("Examples/plugins/".count)
        try folder.write(try Checkout.text(name), to: String(file), isExecutable: file.hasSuffix("/ifttt-hello"))
      }
      let installed = try program.run(
        ["plugin", "install", "ifttt-hello", "--yes"], in: folder, environment: environment)
      #expect(installed.status == 0, "\(installed.errors)")
      try PublishedExample(program: program, folder: folder, environment: environment).prepare(for: example)
    }
    if ["profile show", "profile use", "profile remove", "profile set"].contains(where: example.hasPrefix) {
      let words = ["profile", "create", "staging"]
      #expect(try program.run(words, in: folder, environment: environment).status == 0)
    }
    if example.hasPrefix("connections redo") {
      let undone = try program.run(["-q", "connections", "undo"], in: folder, environment: environment)
      #expect(undone.status == 0, "\(undone.errors)")
    }
    let readsInput = example.hasSuffix(" -")
    if readsInput { environment["IFTTT_ACCESS_TOKEN"] = nil }
    let ids = example.utf8.split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual("--stdin".utf8) }
    let outcome = try bash.run(
      ["-c", "\"$IFTTT\" \(example)"], in: folder, environment: environment,
      input: example.hasPrefix("location ")
        ? #"{"lat":38.7369,"lng":-9.1427} {"lat":38.7469,"lng":-9.1427}"#.replacing(" ", with: "\n") + "\n"
        : readsInput ? "at_7f20c1\n" : ids ? "Fq3Lw8Zt\n" : "")
    #expect(outcome.status == 0)
    // A dry run notes what would change, a change with --yes what cannot be reverted, and an accepted event that it may
    // not be delivered.
    let hasNote = ["--dry-run", "--all --yes", "webhook fire "].contains { example.contains($0) }
    #expect(outcome.errors == "" || (hasNote || isNoted(example)) && !outcome.errors.contains("ifttt:"))
    if isNoted(example) {
      #expect(outcome.output == "" && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
      return
    }
    let words = example.split(separator: " ")
    if let option = words.firstIndex(of: "--output-file") {
      // The output is only in the named file.
      let file = folder.url.appendingPathComponent(String(words[option + 1]))
      #expect(outcome.output.isEmpty)
      #expect(try !Data(contentsOf: file).isEmpty)
    } else {
      #expect(!outcome.output.isEmpty)
    }
  }

  /// Whether the only output of an example is one note that says what was done.
  private func isNoted(_ example: String) -> Bool {
    [
      "profile use ", "profile remove ", "token remove ", "plugin remove ", "plugin unlink ", "plugin trust remove ",
      "plugin index remove ",
    ].contains(where: example.hasPrefix)
  }

  /// Runs an example with the example of a partner's server. An example that polls ends at once, and prints nothing.
  private func workOnAPartnersServer(_ example: String, _ program: Tool, _ bash: Tool, _ folder: ScratchFolder) throws {
    try folder.write("lampost-demo-key\n", to: "key.txt")
    let definition = try Checkout.text("Examples/service/definition.json")
    try folder.write(definition.replacing("oauth2", with: "none"), to: "service.json")
    let script = """
      set -e
      mkfifo stdin
      python3 -B "$SERVICE" --no-sign-in --stop-with-stdin <stdin >listening &
      exec 3>stdin
      trap 'exec 3>&-; wait' EXIT
      until grep -qs http listening; do sleep 0.05; done
      url=$(sed 's/listening on //' listening)
      eval "\"$IFTTT\" $(echo "$1" | sed -E "s#http://[a-z0-9.:]+#$url#; s/ --follow/ --dry-run/")"
      """
    let outcome = try bash.run(
      ["-c", script, "bash", example], in: folder,
      environment: [
        "IFTTT_HOME": folder.path + "/home", "IFTTT": program.path, "IFTTT_SERVICE_KEY": "lampost-demo-key",
        "SERVICE": Checkout.path("Examples/service/service.py"),
      ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors == "")
    #expect(!outcome.output.isEmpty)
  }

  /// Runs an example that receives webhooks, or that uses those received before. A replay is only planned, since its
  /// servers do not exist.
  private func workWithWebhooks(
    _ example: String, _ bash: Tool, _ folder: ScratchFolder, _ environment: [String: String]
  ) throws {
    let script = """
      set -e
      listen="service listen --port 0 --ready-file ready.json --quiet"
      receive() {
        eval "exec \"$IFTTT\" $1" >shown &
        listener=$!
        until [ -e ready.json ]; do sleep 0.01; done
        port=$(cut -d : -f 4 ready.json | tr -dc 0-9)
        for kind in connection/enabled trigger_subscription/fired connection/enabled connection/updated connection/enabled; do
          exec 3<>"/dev/tcp/127.0.0.1/$port" || break
          printf 'POST /ifttt/v1/webhooks/%s HTTP/1.1\r\nHost: localhost\r\nIFTTT-Service-Key: %s\r\n' \
            "$kind" sandbox-key-lampost-7hQ2xV9mTz4LcB1n >&3
          printf 'Connection: close\r\nContent-Length: 2\r\n\r\n{}' >&3
          read -r status <&3
          case "$status" in *" 200 "*) ;; *) echo "$status" >&2 ;; esac
          # An example that waits for one webhook has ended.
          case "$1" in *" --for "*) break ;; esac
        done
        # The program of --exec may start only after the last response.
        case "$1" in
          *" --exec "*) until [ -s shown ] || ! kill -0 "$listener"; do sleep 0.01; done ;;
        esac
        case "$1" in *" --for "*) ;; *) kill "$listener" ;; esac
        wait "$listener"
      }
      case "$1" in
        "service listen"*) receive "$listen${1#service listen}" ;;
        *) receive "$listen"; eval "\"$IFTTT\" $1 $2" >shown ;;
      esac
      cat shown
      """
    let plan = example.hasPrefix("service events replay") ? "--dry-run" : ""
    let outcome = try bash.run(["-c", script, "bash", example, plan], in: folder, environment: environment)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(!outcome.output.isEmpty)
  }

  /// Runs an example with a server that has received requests. A server that the example itself starts is stopped.
  private func workOnAServer(
    _ example: String, _ program: Tool, _ bash: Tool, _ folder: ScratchFolder, _ environment: [String: String]
  ) throws {
    let script = """
      set -e
      # 'sandbox stop' may have ended it.
      stop() { kill $server 2>/dev/null || :; wait $server; }
      case "$1" in
        *--detach*) eval "\"$IFTTT\" $1" >shown; stop() { "$IFTTT" sandbox stop >told; } ;;
        "sandbox start"*) eval "exec \"$IFTTT\" $1" >shown & server=$! ;;
        *) "$IFTTT" sandbox start --ready-file before.json >started & server=$! ;;
      esac
      trap stop EXIT
      eval "$("$IFTTT" sandbox env --wait 1h)"
      export IFTTT_PROFILE=default
      "$IFTTT" connections disable Kd7Rn2Qx >told
      "$IFTTT" sandbox faults set latency=0s >told
      case "$1" in
        "sandbox start"*) ;;
        *) eval "\"$IFTTT\" $1" >shown ;;
      esac
      cat shown
      """
    let outcome = try bash.run(["-c", script, "bash", example], in: folder, environment: environment)
    #expect(outcome.status == 0)
    #expect(outcome.errors == "")
    #expect(!outcome.output.isEmpty)
  }
}
