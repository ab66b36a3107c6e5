// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors where the project is checked (CI sets CI=true), and only warnings for the
// person who builds it with a newer compiler.
let strict: [SwiftSetting] = Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)]

let style: [SwiftSetting] =
  strict + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
  ]

/// A module in `Sources/NAME` that imports only what is named here.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: style)
}

/// The tests of one module, in `Tests/NAMETests`.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], resources: [Resource] = []) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: [.byName(name: name), "Support"] + dependencies,
    exclude: [], resources: resources, swiftSettings: style)
}

let package = Package(
  name: "ifttt",
  platforms: [.macOS(.v13)],
  products: [.executable(name: "ifttt", targets: ["ifttt"])],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .target(name: "CCurl"),

    // Leaves: nothing of ours below them.
    module("Secrets"),
    module("JSON"),
    module("Arguments"),
    module("World"),

    module("Pages", ["Arguments", "JSON"]),
    module("Display", ["JSON"]),
    module("HTTP", ["CCurl", "Secrets", "World"]),
    module("Store", ["CSQLite", "Secrets", "World"]),
    module("API", ["HTTP", "JSON", "Secrets"]),
    module("Connect", ["API", "HTTP", "JSON", "Secrets"]),
    module("Applets", ["API", "HTTP", "JSON", "Secrets"]),
    module("Sandbox", ["HTTP", "JSON", "World"]),
    module(
      "Commands",
      [
        "API", "Applets", "Arguments", "Connect", "Display", "HTTP", "JSON", "Pages", "Sandbox", "Secrets", "Store",
        "World",
      ]),
    .executableTarget(name: "ifttt", dependencies: ["Commands", "HTTP", "World"], swiftSettings: style),

    .target(name: "Support", path: "Tests/Support", swiftSettings: style),
    tests("JSON"),
    tests("Sandbox", ["HTTP", "JSON", "World"], resources: [.copy("Examples")]),
  ],
  swiftLanguageModes: [.v6]
)
