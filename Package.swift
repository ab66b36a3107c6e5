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

/// The data of `ifttt version` for a release: macros that script/build sets. Other builds omit them, so that they are
/// not built again for each commit.
let buildFacts: [CSetting] = ["IFTTT_COMMIT", "IFTTT_BUILD_DATE"].compactMap { name in
  guard let value = Context.environment[name], !value.isEmpty,
    value.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7a ~= $0 || $0 == 0x2d })
  else { return nil }
  return .define(name, to: value)
}

/// On macOS there is no OpenSSL to load, so the cryptography is Swift's own.
let swiftCrypto: [Target.Dependency] = ["Crypto", "CryptoExtras"].map {
  .product(name: $0, package: "swift-crypto", condition: .when(platforms: [.macOS]))
}
/// In the tests, it is the reference on Linux too.
let referenceCrypto: [Target.Dependency] = ["Crypto", "CryptoExtras"].map {
  .product(name: $0, package: "swift-crypto")
}

func named(_ modules: [String]) -> [Target.Dependency] { modules.map { .byName(name: $0) } }

/// A module in `Sources/NAME` that imports only what is named here.
func module(
  _ name: String, _ modules: [String] = [], products: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .target(name: name, dependencies: named(modules) + products, resources: resources, swiftSettings: style)
}

/// The tests of one module, in `Tests/NAMETests`.
func tests(
  _ name: String, _ modules: [String] = [], products: [Target.Dependency] = [], resources: [Resource] = []
) -> Target {
  .testTarget(
    name: "\(name)Tests", dependencies: named([name, "Support"] + modules) + products, resources: resources,
    swiftSettings: style)
}

/// The modules that know no command.
let rooms = [
  "CSQLite", "CommandLine", "HTTP", "IFTTT", "JSON", "Location", "Output", "PluginProtocol", "Sandbox", "Store",
  "Text", "World",
]
/// The modules of the commands, and what only they share.
let commands = ["Changes", "Commands", "ConnectionCommands", "DeveloperCommands", "Plugins", "Session"]

/// The tests of a module of commands, which run the whole program in process.
func commandTests(_ name: String, resources: [Resource] = []) -> Target {
  tests(name, ["ProgramDriver"] + (rooms + commands).filter { $0 != name }, resources: resources)
}

let package = Package(
  name: "ifttt",
  platforms: [.macOS(.v13)],
  products: [
    .executable(name: "ifttt", targets: ["ifttt"]),
    .executable(name: "ifttt-grab", targets: ["ifttt-grab"]),
    .library(name: "PluginProtocol", targets: ["PluginProtocol"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")
  ],
  targets: [
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite3"])]),
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat",
      providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .target(name: "CBuild", cSettings: buildFacts),
    .target(name: "CCrypto", dependencies: ["CSystem"]),
    .target(name: "CCurl", dependencies: ["CSystem"]),
    .target(name: "CSystem"),

    module("Text"),
    module("JSON", ["Text"]),
    module("World", ["CSystem", "Text"]),
    module("HTTP", ["CCurl", "JSON", "Text", "World"]),
    module("CommandLine", ["JSON", "Text"]),
    module("Output", ["JSON", "Text", "World"]),
    module("Location", ["CExpat", "CSystem", "CZlib", "JSON", "Text", "World"]),
    module("IFTTT", ["HTTP", "JSON", "Location", "Text", "World"]),
    module(
      "Store", ["CCrypto", "CSQLite", "CSystem", "CZlib", "JSON", "Location", "Text", "World"], products: swiftCrypto),
    module("Sandbox", ["HTTP", "JSON", "Text", "World"]),
    module("PluginProtocol", ["JSON", "Text"]),

    // The commands, over what they share.
    module(
      "Session",
      [
        "CommandLine", "HTTP", "IFTTT", "JSON", "Output", "PluginProtocol", "Sandbox", "Store", "Text", "World",
      ]),
    module(
      "Plugins",
      [
        "CZlib", "CommandLine", "HTTP", "IFTTT", "JSON", "Output", "PluginProtocol", "Session", "Store", "Text",
        "World",
      ]),
    module(
      "Changes",
      [
        "CommandLine", "HTTP", "IFTTT", "JSON", "Output", "PluginProtocol", "Plugins", "Session", "Store", "Text",
        "World",
      ]),
    module(
      "ConnectionCommands",
      [
        "Changes", "CommandLine", "HTTP", "IFTTT", "JSON", "Location", "Output", "PluginProtocol", "Plugins", "Session",
        "Store", "Text", "World",
      ]),
    module(
      "DeveloperCommands",
      [
        "CommandLine", "HTTP", "IFTTT", "JSON", "Output", "PluginProtocol", "Plugins", "Sandbox", "Session", "Store",
        "Text", "World",
      ],
      // What `plugin new` writes: links to folders of Examples/plugins, and to the name of this repository; and the
      // inspector's page.
      resources: [
        .embedInCode("Plugin/SDK"), .embedInCode("Plugin/Templates"), .embedInCode("Plugin/repository"),
        .embedInCode("Sandbox/Inspector"),
      ]),
    module(
      "Commands",
      [
        "CBuild", "Changes", "CommandLine", "ConnectionCommands", "DeveloperCommands", "HTTP", "IFTTT", "JSON",
        "Location", "Output", "PluginProtocol", "Plugins", "Sandbox", "Session", "Store", "Text", "World",
      ]),
    .executableTarget(
      name: "ifttt", dependencies: named(["CommandLine", "Commands", "HTTP", "Session", "World"]), swiftSettings: style),

    // The Grab plugin: built on the public contract alone, it shares with the program only text, JSON, effects and the
    // HTTP client.
    module(
      "GrabID", ["CCrypto", "CExpat", "CSystem", "HTTP", "JSON", "PluginProtocol", "Text", "World"],
      products: swiftCrypto),
    .executableTarget(
      name: "ifttt-grab", dependencies: named(["GrabID", "HTTP", "PluginProtocol", "World"]),
      exclude: ["plugin.json"], swiftSettings: style),

    // Built for the tests alone: test doubles, and programs that a test starts as real processes.
    .target(
      name: "Support", dependencies: named(["CChildProgram", "CommandLine", "HTTP", "World"]), path: "Tests/Support",
      swiftSettings: style),
    // Runs the program in process, in a home of its own, against a server or a plugin that a test scripts.
    .target(
      name: "ProgramDriver", dependencies: named(["Support"] + rooms + commands), path: "Tests/ProgramDriver",
      swiftSettings: style),
    .target(name: "CChildProgram", path: "Tests/CChildProgram"),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .executableTarget(name: "WorldProbe", dependencies: ["World"], path: "Tests/WorldProbe", swiftSettings: style),
    .executableTarget(
      name: "store-writer", dependencies: named(["Store", "Text", "World"]), path: "Tests/StoreWriter",
      swiftSettings: style),

    // What must hold of any input from outside: run on the committed corpora by the tests, and by script/fuzz for ever.
    .target(
      name: "Properties",
      dependencies: named(rooms.filter { $0 != "CSQLite" } + commands + ["GrabID"]), path: "Fuzz/Properties",
      swiftSettings: style),
    tests("Properties"),

    tests("Text", products: referenceCrypto),
    tests("JSON", ["Text"]),
    tests("World", ["CPseudoTerminal", "HTTP", "Text"]),
    tests("HTTP", ["CCurl", "JSON", "Text", "World"], resources: [.copy("Servers")]),
    tests("CommandLine", ["JSON", "Text"], resources: [.copy("Pages/Goldens")]),
    tests("Output", ["JSON", "Text", "World"]),
    tests(
      "IFTTT", ["HTTP", "JSON", "Location", "Text", "World"], products: referenceCrypto,
      resources: [.copy("Fixtures")]),
    tests(
      "Store", ["CSQLite", "JSON", "Location", "Text", "World", "store-writer"], products: referenceCrypto,
      resources: [.copy("Releases")]),
    tests("Location", ["JSON", "Text", "World"], resources: [.copy("Map/Goldens"), .copy("Tracks")]),
    tests("Sandbox", ["HTTP", "JSON", "Text", "World"], resources: [.copy("Examples")]),
    tests("PluginProtocol", ["JSON", "Text"]),
    tests(
      "GrabID", ["HTTP", "JSON", "PluginProtocol", "Text", "World"], products: referenceCrypto,
      resources: [.copy("Python")]),
    commandTests("Session"),
    commandTests("Plugins"),
    commandTests("Changes"),
    commandTests("ConnectionCommands", resources: [.copy("Location/Cases")]),
    commandTests("DeveloperCommands"),
    commandTests("Commands", resources: [.copy("Tree/Goldens")]),
    .testTarget(
      name: "LayoutTests", dependencies: named(["Support", "World"]), swiftSettings: style),
    .testTarget(
      name: "TranscriptTests",
      dependencies: named(commands + ["CPseudoTerminal", "CommandLine", "HTTP", "Support", "World"]),
      resources: [.copy("Journals"), .copy("MCP"), .copy("OpenAPI"), .copy("Servers"), .copy("Transcripts")],
      swiftSettings: style),
  ],
  swiftLanguageModes: [.v6]
)
