import Foundation
import PluginProtocol
import Plugins
import Support
import Testing
import World

@testable import Commands

/// Which providers there are, and what it costs to know.
@Suite struct PluginProvidersTests {
  let plugins = PluginHome()

  private func manifest(_ credentials: String) -> String {
    PluginHome.manifest.replacing("\"command\"", with: "\"provider\", \"protocol\": [\"1\"]")
      .replacing(
        "\"hosts\"", with: "\"capabilities\": [\"connections/list\"], \"credentials\": \(credentials), \"hosts\"")
  }

  private func shelf(_ prepare: (TestWorld) -> Void = { _ in }) throws -> PluginShelf {
    let test = TestWorld(
      environment: plugins.home.environment, folder: plugins.folder, seed: 1)
    prepare(test)
    let session = Session(
      world: test.world, options: GlobalOptions(), path: [], provenance: [], root: Root.group
    ) { _ in NoTransport() }
    return try session.pluginShelf
  }

  @Test func installedOnesCostNoFile() throws {
    try plugins.install("shelf", manifest: manifest("[]"))
    try plugins.install("tides", manifest: manifest("[\"account/*\"]"))
    try plugins.install("greeting")
    try plugins.write("stray", in: "plugins", manifest: manifest("[]"))
    var looked: [String] = []
    let shelf = try shelf { test in
      test.files.failure = { _, path in
        looked.append(path)
        return nil
      }
    }
    let found = try shelf.providers()
    #expect(found.map(\.name.description) == ["shelf", "tides"])
    #expect(found.map(\.needsCredentials) == [false, true])
    #expect(looked == [])
    #expect(found.first?.capabilities() == ["connections/list"])
    let admitted = try #require(try found.last?.admit())
    #expect(admitted.credentials == ["account/*"])
    #expect(admitted.environment == ["LAMPOST_REGION"])
    #expect(admitted.executable == plugins.folder["plugins/tides/run"])
  }

  @Test func bundledOnesAreGlancedAt() throws {
    plugins.home.environment["IFTTT_LIBEXEC"] = plugins.folder["libexec"]
    try plugins.write("grab", in: "libexec", manifest: manifest("[\"account/*\"]"))
    try plugins.write("greeting", in: "libexec")
    let found = try shelf().providers()
    #expect(found.map(\.name.description) == ["grab"])
    #expect(found.first?.needsCredentials == true)
    #expect(found.first?.capabilities() == ["connections/list"])
  }

  @Test func whatChangedIsThereAndNotAdmitted() throws {
    try plugins.install("shelf", manifest: manifest("[]"))
    try plugins.install("tides", manifest: manifest("[]"))
    plugins.folder.write("plugins/shelf/run", "#!/bin/sh\n", mode: 0o700)
    try FileManager.default.removeItem(atPath: plugins.folder["plugins/tides"])
    let found = try shelf().providers()
    let verdicts = found.map { candidate -> PluginStatus? in
      do {
        _ = try candidate.admit()
        return nil
      } catch {
        return (error as? PluginRefusal)?.verdict.status
      }
    }
    #expect(verdicts == [.changed, .broken])
  }
}
