import Foundation
import Support
import Testing

/// The plugin `tides` of the examples: version 1.2.0 in the index `index.json`, and 1.1.0 installed if an example upgrades
/// it.
struct PublishedExample {
  let program: Tool
  let folder: ScratchFolder
  let environment: [String: String]

  func prepare(for example: String) throws {
    try folder.write(SamplePublicKey.text, to: "acme.pub")
    if example.contains("--sign") {
      let made = try Tool.required("ssh-keygen").run(["-q", "-t", "ed25519", "-N", "", "-f", "id_ed25519"], in: folder)
      #expect(made.status == 0, "\(made.errors)")
    }
    if example.hasPrefix("plugin trust list") { try run("plugin trust add main acme.pub") }
    if example.hasPrefix("plugin trust remove") { try run("plugin trust add acme acme.pub") }
    try run("plugin new tides --directory source/tides")
    try publish("1.1.0")
    guard !example.hasPrefix("plugin package") else { return }
    try run("plugin index add main ./index.json")
    if example.hasPrefix("plugin index remove") { return try run("plugin index add local ./index.json") }
    if !example.hasPrefix("plugin install") { try run("plugin install tides --yes") }
    try publish("1.2.0")
    try run("plugin index update")
    if example.hasPrefix("plugin rollback") { try run("plugin upgrade tides --yes") }
  }

  private func publish(_ version: String) throws {
    let manifest = try String(
      contentsOf: folder.url.appendingPathComponent("source/tides/plugin.json"), encoding: .utf8)
    try folder.write(
      manifest.replacing(#/"version": "[0-9.]+"/#, with: "\"version\": \"\(version)\""), to: "source/tides/plugin.json")
    try run("plugin package source/tides --index index.json")
  }

  private func run(_ line: String) throws {
    let outcome = try program.run(line.split(separator: " ").map(String.init), in: folder, environment: environment)
    #expect(outcome.status == 0, "\(line): \(outcome.errors)")
  }
}
