import Foundation
import Support
import Testing

/// Tests of `service listen` of the built program, with the clients of `Servers/webhooks.py`.
protocol ListenerTests {
  var home: Home { get }
}

extension ListenerTests {
  /// A running listener, and its port.
  func listen(_ options: String...) throws -> (running: Running, port: String) { try listen(options) }

  func listen(_ options: [String]) throws -> (running: Running, port: String) {
    let running = try home.start(["service", "listen", "--port", "0"] + options)
    let note = running.read(until: "stop.\n", from: running.errors)
    let url = try #require(note.split(separator: " ").first { $0.hasPrefix("http://") }, "\(note)")
    let port = try #require(url.split(separator: ":").last?.prefix { $0 != "/" })
    return (running, String(port))
  }

  func send(_ words: String...) throws -> String {
    let outcome = try Tool.required("python3").run(Python.arguments + [script()] + words, in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output.trimmingCharacters(in: .newlines)
  }

  func start(_ words: String...) throws -> Running {
    try Running(
      [Tool.required("python3").path] + Python.arguments + [script()] + words, environment: ["PATH": "/usr/bin:/bin"])
  }

  func stored() throws -> [String] {
    let listing = try home.run("service", "events", "list", "--fields", "user_id", "-o", "tsv", "--no-header")
    return listing.text.split(separator: "\n").map(String.init)
  }

  private func script() throws -> String {
    try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/webhooks.py").path
  }
}
