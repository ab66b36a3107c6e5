import Foundation
import ProgramDriver
import Support
import Testing

@testable import Session
import World

/// A home with a folder of published plugins, as a web server would have it.
final class PublishedPlugins {
  let plugins = PluginHome()
  var home: Home { plugins.home }
  static let origin = "https://plugins.test"

  init() {
    home.environment["TMPDIR"] = plugins.folder.path
    let folder = plugins.folder.path
    home.adapt = { $0.workingFolder = folder }
    home.environment["PATH"] = "/usr/bin:/bin"
  }

  /// Publish a version, and add it to the index.
  @discardableResult
  func publish(_ name: String = "shelf", _ version: String = "1.2.0", vendor: String = "Lampost") throws -> String {
    let manifest = PluginHome.manifest.replacing("1.2.0", with: version).replacing("Lampost", with: vendor)
    let path = try plugins.write(name, manifest: manifest)
    let site = plugins.folder["site"]
    let outcome = run("plugin package \(path) --directory \(site) --index \(site)/index.json")
    #expect(outcome.exit == .success, "\(outcome.errors)")
    return "\(name)-\(version)-any.tar.gz"
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: plugins.folder["site/\(name)"])))
  }

  /// Responses with these published files, in this order. A name with a question mark in front gets 404.
  func serving(_ names: String...) throws -> Server {
    try names.reduce(Server()) { server, name in
      name.hasPrefix("?") ? server.answering(404) : server.answering(with: try bytes(name))
    }
  }

  /// Add the index as a file, from which nothing is downloaded.
  func addIndex() {
    let outcome = run("plugin index add local \(plugins.folder["site/index.json"])")
    #expect(outcome.exit == .success, "\(outcome.errors)")
  }

  @discardableResult
  func run(_ line: String, _ answers: Server? = nil, input: ScriptedInput? = nil) -> Home.Outcome {
    home.run(line, input: input, answers: answers)
  }

  /// Values of `plugin show`, as JSON.
  func shown(_ fields: String, of name: String = "shelf") -> String {
    run("plugin show \(name) --json --fields \(fields)").output.trimmingCharacters(in: .newlines)
  }

  /// The hidden folders beside the installed plugins.
  var hidden: [String] {
    plugins.folder.names.filter {
      $0.hasPrefix("plugins/.") && $0.split(separator: "/").count == 2 && $0 != "plugins/.lock"
    }
  }
}
