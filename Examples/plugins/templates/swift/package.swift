// swift-tools-version: 6.2
import PackageDescription

// @IF command@
let package = Package(
  name: "ifttt-@NAME@", platforms: [.macOS(.v13)], targets: [.executableTarget(name: "ifttt-@NAME@")])
// @END@
// @IF package@
// PluginProtocol is a library of ifttt's own package. IFTTT_PACKAGE is the path of a checkout to use instead.
let checkout = Context.environment["IFTTT_PACKAGE"]
let ifttt: Package.Dependency =
  checkout.map { .package(name: "ifttt", path: $0) }
  ?? .package(url: "https://github.com/@REPOSITORY@", from: "@VERSION@")

let package = Package(
  name: "ifttt-@NAME@",
  platforms: [.macOS(.v13)],
  dependencies: [ifttt],
  targets: [
    .executableTarget(name: "ifttt-@NAME@", dependencies: [.product(name: "PluginProtocol", package: "ifttt")])
  ]
)
// @END@
