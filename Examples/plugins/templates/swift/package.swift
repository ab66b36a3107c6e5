// swift-tools-version: 6.2
import PackageDescription

// @IF command@
let package = Package(
  name: "ifttt-@NAME@", platforms: [.macOS(.v13)], targets: [.executableTarget(name: "ifttt-@NAME@")])
// @END@
// @IF package@
// PluginProtocol is a library of ifttt's own package. IFTTT_PACKAGE is the path of a checkout of that package, or the
// URL of its repository, from which the version of the ifttt that wrote this file, or a later one, is used.
let source = Context.environment["IFTTT_PACKAGE"] ?? "../ifttt"
let ifttt: Package.Dependency =
  source.contains(":") ? .package(url: source, from: "@VERSION@") : .package(name: "ifttt", path: source)

let package = Package(
  name: "ifttt-@NAME@",
  platforms: [.macOS(.v13)],
  dependencies: [ifttt],
  targets: [
    .executableTarget(name: "ifttt-@NAME@", dependencies: [.product(name: "PluginProtocol", package: "ifttt")])
  ]
)
// @END@
