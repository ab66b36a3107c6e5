import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built program with several providers as real processes and IFTTT as a real server. None of them waits for
/// another.
@Suite struct ProvidedStreamTests {
  private let home = Home()

  /// Install a provider with one connection, `NAME-1`.
  /// - Parameters:
  ///   - commands: The shell commands to run before it responds to a request.
  ///   - end: The shell commands to run when it receives a request to exit.
  private func install(_ name: String, after commands: String = ":", end: String = ":") throws {
    let source = try ScratchFolder()
    let capabilities = #"["connections/list","connections/show"]"#
    try source.write(
      #"{"schema_version":1,"name":"\#(name)","version":"1","summary":"S","kind":"provider","protocol":["1"],"#
        + #""capabilities":\#(capabilities),"files":[{"path":"\#(home.workplace.path)","access":"write"}]}"#,
      to: "plugin.json")
    try source.write(
      """
      #!/bin/sh
      connection='{"id":"\(name)-1","name":"N","status":"enabled"}'
      read -r hello
      echo '{"jsonrpc":"2.0","id":1,"result":{"name":"\(name)","version":"1","protocol":"1","capabilities":\(capabilities)}}'
      read -r request
      \(commands)
      case $request in
      *connections/list*)
        echo '{"jsonrpc":"2.0","method":"item","params":{"id":2,"item":'"$connection"'}}'
        echo '{"jsonrpc":"2.0","id":2,"result":{}}' ;;
      *) echo '{"jsonrpc":"2.0","id":2,"result":{"connection":'"$connection"'}}' ;;
      esac
      read -r end
      \(end)

      """, to: "ifttt-\(name)", isExecutable: true)
    try #require(home.run("plugin", "install", source.path, "--yes").status == 0)
  }

  /// A server that holds back the response for the tracked connection `stall-it`, and a provider `held` that waits at
  /// a gate.
  private struct Held {
    let server: Server
    let asked: Gate
    let go: Gate

    /// Wait until both have received their request; neither has responded yet.
    func waitForBoth() throws {
      try server.waitForStall("stall-it")
      asked.pass()
    }
  }

  private func holdBoth(_ commands: String = ":") throws -> Held {
    let held = Held(server: try Server(), asked: Gate(home.workplace["asked"]), go: Gate(home.workplace["go"]))
    home.environment.merge(held.server.environment.merging(Known.asUser) { $1 }) { $1 }
    try install("held", after: "echo >'\(held.asked.path)'\n\(commands)\nread -r go <'\(held.go.path)'")
    try #require(home.run("connections", "add", "stall-it", "--offline").status == 0)
    return held
  }

  /// A timeout that is long enough for an overloaded machine. A program that waited for the sources in turn would run
  /// into it.
  private static let longTimeout = ["--timeout", "60s", "--retries", "0"]

  @Test func rowsArePrintedAsTheyArrive() throws {
    let gate = Gate(home.workplace["gate"])
    try install("aslow", after: "read -r go <'\(gate.path)'")
    try install("quick")
    let running = try home.start(["connections", "list", "-o", "jsonl", "--fields", "id"])
    #expect(running.read(until: "quick-1").hasSuffix("quick-1"))
    gate.open()
    #expect(running.readToEnd().contains("aslow-1"))
    #expect(running.wait() == 0)
    // Cached rows are printed in order, as in a table.
    let again = try home.run("connections", "list", "-o", "jsonl", "--fields", "id").text
    #expect(
      again.range(of: "aslow-1")?.lowerBound ?? again.endIndex < again.range(of: "quick-1")?.lowerBound
        ?? again.startIndex)
  }

  @Test func aSlowServerDoesNotDelayProviders() throws {
    let held = try holdBoth()
    let running = try home.start(["connections", "list", "-o", "jsonl", "--fields", "id"] + Self.longTimeout)
    try held.waitForBoth()
    held.go.open()
    #expect(running.read(until: "held-1").hasSuffix("held-1"))
    held.server.release()
    #expect(running.readToEnd().contains("stall-it"))
    #expect(running.wait() == 0)
  }

  @Test func aSlowProviderDoesNotDelayIFTTT() throws {
    let held = try holdBoth()
    let running = try home.start(["connections", "list", "-o", "jsonl", "--fields", "id"] + Self.longTimeout)
    try held.waitForBoth()
    held.server.release()
    #expect(running.read(until: "stall-it").hasSuffix("stall-it"))
    held.go.open()
    #expect(running.readToEnd().contains("held-1"))
    #expect(running.wait() == 0)
  }

  /// Only JSON Lines has the order of the responses.
  @Test(arguments: ["table", "json", "csv", "tsv"]) func otherFormatsAreInOrder(_ format: String) throws {
    let held = try holdBoth()
    try install("zlast", end: "echo >'\(held.go.path)'")
    let running = try home.start(
      ["connections", "list", "-o", format, "--fields", "id", "--no-header"] + Self.longTimeout)
    try held.waitForBoth()
    held.server.release()
    let ids = running.readToEnd().matches(of: /stall-it|held-1|zlast-1/).map { String($0.output) }
    #expect(ids == ["stall-it", "held-1", "zlast-1"])
    #expect(running.wait() == 0)
  }

  @Test func showPrintsRowsAsTheyArrive() throws {
    let held = try holdBoth()
    try install("quick")
    let running = try home.start(
      ["connections", "show", "held:held-1", "stall-it", "quick:quick-1", "-o", "jsonl", "--fields", "id"]
        + Self.longTimeout)
    try held.waitForBoth()
    #expect(running.read(until: "\n") == "{\"id\":\"quick-1\"}\n")
    held.server.release()
    #expect(running.read(until: "\n") == "{\"id\":\"stall-it\"}\n")
    held.go.open()
    #expect(running.readToEnd() == "{\"id\":\"held-1\"}\n")
    #expect(running.wait() == 0)
  }

  @Test(arguments: [true, false]) func showPrintsCSVInOrder(_ isServerFirst: Bool) throws {
    let held = try holdBoth()
    let running = try home.start(
      ["connections", "show", "held:held-1", "stall-it", "-o", "csv", "--fields", "id", "--no-header"]
        + Self.longTimeout)
    try held.waitForBoth()
    isServerFirst ? held.server.release() : held.go.open()
    isServerFirst ? held.go.open() : held.server.release()
    #expect(running.readToEnd() == "held-1\nstall-it\n")
    #expect(running.wait() == 0)
  }

  @Test(arguments: [["list"], ["show", "held:held-1", "stall-it"]])
  func ctrlCEndsBoth(_ command: [String]) throws {
    let held = try holdBoth("read -r cancel\nprintf '%s' \"$cancel\" >'\(home.workplace["cancel"])'\nexit")
    let running = try home.start(["connections"] + command + ["-o", "jsonl"] + Self.longTimeout)
    try held.waitForBoth()
    running.signal(SIGINT)
    #expect(running.wait() == 130)
    #expect(running.readToEnd() == "")
    #expect(home.workplace.text("cancel") == #"{"jsonrpc":"2.0","method":"$/cancel","params":{"id":2}}"#)
  }
}

/// A named pipe at which one side waits for the other.
private final class Gate {
  let path: String
  /// The descriptor, opened in both directions so that opening does not block.
  private let descriptor: Int32

  init(_ path: String) {
    self.path = path
    mkfifo(path, 0o600)
    descriptor = Foundation.open(path, O_RDWR)
  }

  deinit { close(descriptor) }

  func open() { _ = write(descriptor, "\n", 1) }

  /// Wait until the other side opens the gate.
  func pass() {
    var byte: UInt8 = 0
    _ = read(descriptor, &byte, 1)
  }
}
