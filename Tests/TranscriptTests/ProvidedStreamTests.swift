import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The built program with several providers as real processes.
@Suite struct ProvidedStreamTests {
  private let home = Home()

  /// Installs a provider of one connection.
  /// - Parameters:
  ///   - commands: what it does before it answers.
  ///   - end: what it does once it is to end.
  private func install(_ name: String, after commands: String = ":", end: String = ":") throws {
    let source = try ScratchFolder()
    try source.write(
      #"{"schema_version":1,"name":"\#(name)","version":"1","summary":"S","kind":"provider","protocol":["1"],"#
        + #""capabilities":["connections/list"]}"#, to: "plugin.json")
    try source.write(
      """
      #!/bin/sh
      read -r hello
      echo '{"jsonrpc":"2.0","id":1,"result":{"name":"\(name)","version":"1","protocol":"1","capabilities":["connections/list"]}}'
      read -r request
      \(commands)
      echo '{"jsonrpc":"2.0","method":"item","params":{"id":2,"item":{"id":"\(name)-1","name":"N","status":"enabled"}}}'
      echo '{"jsonrpc":"2.0","id":2,"result":{}}'
      read -r end
      \(end)

      """, to: "ifttt-\(name)", isExecutable: true)
    try #require(home.run("plugin", "install", source.path, "--yes").status == 0)
  }

  @Test(arguments: ["jsonl", "json", "csv"]) func rowsArePrintedAsTheyCome(_ format: String) throws {
    let gate = home.folder["gate"]
    mkfifo(gate, 0o600)
    // Open for both, so that neither side waits for the other here.
    let key = open(gate, O_RDWR)
    defer { close(key) }
    try install("aslow", after: "read -r go <'\(gate)'")
    try install("quick")
    let running = try home.start(["connections", "list", "-o", format, "--fields", "id"])
    #expect(running.read(until: "quick-1").hasSuffix("quick-1"))
    _ = write(key, "go\n", 3)
    #expect(running.readToEnd().contains("aslow-1"))
    #expect(running.wait() == 0)
    // From the cache they come in order, as in a table.
    let again = try home.run("connections", "list", "-o", format, "--fields", "id").text
    #expect(
      again.range(of: "aslow-1")?.lowerBound ?? again.endIndex < again.range(of: "quick-1")?.lowerBound
        ?? again.startIndex)
  }

  @Test func aTableIsInOrderWhicheverIsFirst() throws {
    let gate = home.folder["gate"]
    mkfifo(gate, 0o600)
    try install("aslow", after: "read -r go <'\(gate)'")
    try install("quick", end: "echo go >'\(gate)'")
    let table = try home.run("connections", "list", "--fields", "id", "--no-header").text
    #expect(table == "aslow-1\nquick-1\n")
  }
}
