import Foundation
import Support
import Testing

/// The template from `plugin new --language swift`, built as a user would build it: with a tag of the package's repository,
/// in whose place is a clone of this checkout.
@Suite struct SwiftTemplateTests {
  let home = Home()

  init() {
    home.environment["PATH"] = ProcessInfo.processInfo.environment["PATH"]
    // The template stores its files there.
    home.environment["HOME"] = home.folder.path
  }

  private static let checkout = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The folder with this package's dependencies, next to which the tests were built.
  private static func dependencies() throws -> URL {
    var folder = URL(fileURLWithPath: BuiltProduct.path("WorldProbe")).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let checkouts = folder.appendingPathComponent("checkouts")
      if FileManager.default.fileExists(atPath: checkouts.path) { return checkouts }
    }
    throw CocoaError(.fileNoSuchFile)
  }

  /// A repository with the commit of this checkout and the tag of the program's version.
  private func repository(in folder: URL) throws -> String {
    let repository = folder.appendingPathComponent("ifttt").path
    guard !FileManager.default.fileExists(atPath: repository) else { return repository }
    let git = try Tool.required("git")
    let version = try home.run("--version").text.split(separator: " ").last.map(String.init) ?? ""
    for words in [
      ["clone", "--quiet", Self.checkout.path, repository],
      ["-C", repository, "tag", "v" + version.trimmingCharacters(in: .newlines)],
    ] {
      let outcome = try git.run(words, in: ScratchFolder())
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    return repository
  }

  /// Make the template's package use the dependencies from where they already are, in the pinned versions, so that no
  /// network is needed. The package depends on this one, and so on its dependencies, although none of them is built.
  private func useWhatIsHere(in package: URL, scratch: URL) throws {
    let resolved = try Data(contentsOf: Self.checkout.appendingPathComponent("Package.resolved"))
    let pins = try #require(
      (JSONSerialization.jsonObject(with: resolved) as? [String: Any])?["pins"] as? [[String: Any]])
    let checkouts = try Self.dependencies()
    let named = try Checkout.text("packaging/repository").trimmingCharacters(in: .newlines)
    let own = ["original": "https://github.com/\(named)", "mirror": try repository(in: scratch)]
    let mirrors =
      [own]
      + pins.compactMap { $0["location"] as? String }.map { location in
        let name = URL(fileURLWithPath: location).deletingPathExtension().lastPathComponent
        return ["original": location, "mirror": checkouts.appendingPathComponent(name).path]
      }
    let folder = package.appendingPathComponent(".swiftpm/configuration")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try JSONSerialization.data(withJSONObject: ["version": 1, "object": mirrors])
      .write(to: folder.appendingPathComponent("mirrors.json"))
    try resolved.write(to: package.appendingPathComponent("Package.resolved"))
  }

  /// The two kinds that use this package have one build folder, so that this package is compiled once.
  @Test(
    .enabled(if: Tool.isInstalled("swift"), "skipped: needs swift"), arguments: [["command"], ["provider", "both"]])
  func theTemplatesBuildAndPass(_ kinds: [String]) throws {
    let scratch = try ScratchFolder()
    let (package, products) = (
      scratch.url.appendingPathComponent("things"), scratch.url.appendingPathComponent("build")
    )
    for kind in kinds {
      #expect(
        try home.run("plugin", "new", "things", "--language", "swift", "--kind", kind, "--directory", package.path)
          .status == 0)
      if FileManager.default.fileExists(atPath: products.path) {
        try FileManager.default.moveItem(at: products, to: package.appendingPathComponent(".build"))
      }
      try buildAndTest(package, kind, scratch: scratch.url)
      try FileManager.default.moveItem(at: package.appendingPathComponent(".build"), to: products)
      try FileManager.default.removeItem(at: package)
    }
  }

  private func buildAndTest(_ package: URL, _ kind: String, scratch: URL) throws {
    if kind != "command" { try useWhatIsHere(in: package, scratch: scratch) }
    // The compiler's settings may be in the user's home, as swiftly's are, but its caches go elsewhere.
    let build = try #require(Tool(path: package.appendingPathComponent("make-plugin").path)).run(
      [], in: ScratchFolder(),
      environment: ["HOME": NSHomeDirectory(), "XDG_CACHE_HOME": scratch.path + "/cache"])
    #expect(build.status == 0, "\(build.output) \(build.errors)")
    let plugin = package.appendingPathComponent("plugin").path
    #expect(build.output.hasSuffix("Install it: ifttt plugin install \(plugin)\n"))

    let test = try home.run("plugin", "test", plugin, "--json", "--timeout", "1h")
    #expect(test.status == 0, "\(test.text) \(test.errors)")
    let rows = try #require(JSONSerialization.jsonObject(with: Data(test.output)) as? [[String: Any]])
    #expect(rows.count == (kind == "command" ? 2 : 28))
    #expect(rows.allSatisfy { $0["status"] as? String != "fail" })

    #expect(try home.run("plugin", "install", plugin, "--yes").status == 0)
    guard kind == "both" else { return }
    #expect(try home.run("things", "add", "Lamp").status == 0)
    #expect(try home.run("connections", "enable", "things:2").status == 0)
    let list = try home.run("connections", "list", "--provider", "things", "--fields", "name,status", "-o", "csv")
    #expect(list.text == "name,status\nFan,enabled\nKettle,enabled\nLamp,disabled\n", "\(list.errors)")
  }

  /// A developer of both can use a checkout instead.
  @Test(.enabled(if: Tool.isInstalled("swift"), "skipped: needs swift")) func aCheckoutCanBeUsed() throws {
    let package = home.folder["things"]
    #expect(try home.run("plugin", "new", "things", "--language", "swift", "--directory", package).status == 0)
    let dumped = try Tool.required("swift").run(
      ["package", "--package-path", package, "dump-package"], in: ScratchFolder(),
      environment: ["HOME": NSHomeDirectory(), "IFTTT_PACKAGE": Self.checkout.path])
    #expect(dumped.status == 0 && dumped.output.contains(#""path" : "\#(Self.checkout.path)""#), "\(dumped)")
  }
}
