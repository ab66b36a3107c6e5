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

/// The modules of the commands.
let commandModules = [
  "AccountCommands", "ActivationCommands", "AppletCommands", "Batch", "BrowserRedirects", "Changes", "CommandContext",
  "Commands",
  "ConnectionCommands", "DesiredStateCommands", "LocationCommands", "PluginCommands", "PluginHost", "SandboxCommands",
  "ServiceCommands", "Users",
]
/// The modules below them.
let commandFoundations = [
  "API", "Applets", "Arguments", "CSQLite", "Connect", "ConnectButton", "DesiredState", "Display", "Encoding",
  "EnvironmentVariables", "HTTP", "Hints", "JSON", "Listener", "Location", "Pages", "Phrases", "PluginProtocol",
  "PluginSDK", "Plugins", "Sandbox",
  "Secrets", "ServiceAPI", "Store", "Time", "World",
]

func named(_ modules: [String]) -> [Target.Dependency] { modules.map { .byName(name: $0) } }

/// The tests of one module of commands, which run the whole program in process.
func commandTests(_ name: String, resources: [Resource] = []) -> Target {
  tests(
    name, ["ProgramDriver"] + named((commandModules + commandFoundations).filter { $0 != name }), resources: resources)
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
    .target(name: "CCrypto", dependencies: ["CSystem"]),
    .target(name: "CCurl", dependencies: ["CSystem"]),
    .target(name: "CBuild", cSettings: buildFacts),
    .target(name: "CSystem"),

    // Leaves: modules that other modules share, with few dependencies or none.
    module("Encoding"),
    module("EnvironmentVariables"),
    module("Time"),
    module("Secrets", ["Encoding"]),
    module("JSON", ["Encoding"]),
    module("Hints"),
    module("World", ["CSystem", "Encoding", "EnvironmentVariables", "Time"]),
    module("Phrases"),

    module("Arguments", ["Encoding", "Hints", "Secrets"]),
    module("ConnectButton", ["Encoding", "Phrases"]),
    module("Pages", ["Arguments", "Encoding", "JSON"]),
    module("Display", ["Encoding", "EnvironmentVariables", "JSON"]),
    module("HTTP", ["CCurl", "Encoding", "EnvironmentVariables", "JSON", "Secrets", "Time", "World"]),
    module(
      "Store",
      [
        "CCrypto", "CSQLite", "CSystem", "CZlib", "Encoding", "EnvironmentVariables", "Hints", "JSON", "Secrets",
        "Time", "World",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.macOS])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.macOS])),
      ]),
    module("API", ["HTTP", "JSON", "Secrets"]),
    module("Connect", ["API", "Encoding", "HTTP", "JSON", "Secrets", "Time"]),
    module("DesiredState", ["API", "Connect", "Encoding", "JSON"]),
    module("Applets", ["API", "HTTP", "JSON", "Secrets", "Time"]),
    module("ServiceAPI", ["Encoding", "HTTP", "JSON", "Secrets", "World"]),
    module("Location", ["CExpat", "CSystem", "CZlib", "Encoding", "JSON", "Time"]),
    module("Sandbox", ["Encoding", "HTTP", "JSON", "Secrets", "Time"]),
    module("Listener"),
    module("SocketListener", ["Listener", "Time", "World"]),
    module("PluginProtocol", ["Encoding", "JSON"]),
    module(
      "Plugins",
      [
        "Arguments", "CZlib", "Encoding", "EnvironmentVariables", "HTTP", "Hints", "JSON", "PluginProtocol", "Secrets",
        "Time", "World",
      ]),
    .target(
      name: "PluginSDK",
      resources: ["ifttt_plugin.py", "ifttt_plugin.mjs", "ifttt_plugin.go"].map { .embedInCode($0) },
      swiftSettings: style),
    // The commands: one module per group of nouns, over what they share.
    module(
      "CommandContext",
      [
        "API", "Applets", "Arguments", "Connect", "Display", "Encoding", "EnvironmentVariables", "HTTP", "Hints",
        "JSON", "Listener", "Pages", "Phrases", "PluginProtocol", "Sandbox", "Secrets", "Store", "Time", "World",
      ]),
    module(
      "Batch",
      [
        "API", "Arguments", "CommandContext", "Connect", "DesiredState", "Display", "Encoding", "EnvironmentVariables",
        "HTTP", "Hints", "JSON", "Store", "Time", "World",
      ]),
    module(
      "Users",
      [
        "API", "Arguments", "Batch", "CommandContext", "Connect", "Display", "Encoding", "EnvironmentVariables", "HTTP",
        "Hints", "JSON", "Secrets", "Store", "World",
      ]),
    module(
      "BrowserRedirects",
      [
        "API", "Arguments", "Batch", "CommandContext", "Connect", "ConnectButton", "Display", "Encoding",
        "EnvironmentVariables", "HTTP", "Hints", "Listener", "Phrases", "PluginProtocol", "Sandbox", "Store", "Time",
        "World",
      ]),
    module(
      "PluginHost",
      [
        "API", "Arguments", "Batch", "BrowserRedirects", "CommandContext", "Connect", "Display", "Encoding",
        "EnvironmentVariables", "Hints", "JSON", "Phrases", "PluginProtocol", "Plugins", "Secrets", "Store", "Time",
        "World",
      ]),
    module(
      "Changes",
      [
        "API", "Applets", "Batch", "CommandContext", "Connect", "DesiredState", "Display", "HTTP", "Hints", "JSON",
        "PluginHost", "PluginProtocol", "Store", "Time", "Users", "World",
      ]),
    module(
      "ActivationCommands",
      [
        "API", "Arguments", "Batch", "BrowserRedirects", "Changes", "CommandContext", "Connect", "DesiredState",
        "Display", "HTTP", "Hints", "JSON", "Phrases", "Secrets", "Store", "Time", "World",
      ]),
    module(
      "DesiredStateCommands",
      [
        "API", "ActivationCommands", "Arguments", "Batch", "Changes", "CommandContext", "Connect", "DesiredState",
        "Display",
        "HTTP", "Hints", "JSON", "Phrases", "Store", "Time", "Users", "World",
      ]),
    module(
      "ConnectionCommands",
      [
        "API", "ActivationCommands", "Arguments", "Batch", "BrowserRedirects", "Changes", "CommandContext", "Connect",
        "ConnectButton", "DesiredState", "DesiredStateCommands", "Display", "EnvironmentVariables", "HTTP", "Hints",
        "JSON", "Phrases",
        "PluginHost", "PluginProtocol", "Store", "Time", "Users", "World",
      ]),
    module(
      "LocationCommands",
      [
        "API", "Arguments", "Batch", "CommandContext", "Connect", "Display", "HTTP", "Hints", "JSON", "Location",
        "Secrets", "Store", "Time", "World",
      ]),
    module(
      "AppletCommands",
      [
        "API", "Applets", "Arguments", "Batch", "BrowserRedirects", "Changes", "CommandContext", "Connect",
        "DesiredState", "Display", "HTTP", "Hints", "JSON", "Store", "Time", "World",
      ]),
    module(
      "AccountCommands",
      [
        "API", "Applets", "Arguments", "Batch", "BrowserRedirects", "CommandContext", "Connect", "Display",
        "EnvironmentVariables", "HTTP", "Hints", "JSON", "Pages", "PluginHost", "Plugins", "Secrets", "Store", "Time",
        "Users", "World",
      ]),
    module(
      "SandboxCommands",
      [
        "Arguments", "CommandContext", "Display", "Encoding", "EnvironmentVariables", "HTTP", "Hints", "JSON",
        "Listener", "Sandbox", "Secrets", "ServiceAPI", "Store", "Time", "World",
      ]),
    module(
      "PluginCommands",
      [
        "Arguments", "Batch", "CommandContext", "Display", "Encoding", "EnvironmentVariables", "HTTP", "Hints", "JSON",
        "PluginHost", "PluginProtocol", "PluginSDK", "Plugins", "Store", "Time", "World",
      ]),
    module(
      "ServiceCommands",
      [
        "API", "Arguments", "Batch", "BrowserRedirects", "CommandContext", "Display", "Encoding",
        "EnvironmentVariables", "HTTP", "Hints", "JSON", "Listener", "Secrets", "ServiceAPI", "Store", "Time", "World",
      ]),
    module(
      "Commands",
      [
        "API", "AccountCommands", "ActivationCommands", "AppletCommands", "Arguments", "Batch", "CBuild", "Changes",
        "CommandContext", "Connect", "ConnectionCommands", "DesiredState", "DesiredStateCommands", "Display",
        "Encoding", "EnvironmentVariables", "HTTP",
        "Hints", "JSON",
        "Listener", "Location", "LocationCommands", "Pages", "Phrases", "PluginCommands", "PluginHost",
        "PluginProtocol", "Plugins", "Sandbox", "SandboxCommands", "ServiceAPI", "ServiceCommands", "Store", "World",
      ]),
    .executableTarget(
      name: "ifttt",
      dependencies: [
        "Arguments", "CommandContext", "Commands", "HTTP", "SocketListener", "World",
      ], swiftSettings: style),

    // The Grab plugin: built on the public contract alone, it shares with the program only leaves and the HTTP client.
    module(
      "GrabID",
      [
        "CCrypto", "CExpat", "CSystem", "Encoding", "EnvironmentVariables", "HTTP", "Hints", "JSON", "Secrets", "Time",
        "World",
        .product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.macOS])),
        .product(name: "CryptoExtras", package: "swift-crypto", condition: .when(platforms: [.macOS])),
      ]),
    .executableTarget(
      name: "ifttt-grab", dependencies: ["GrabID", "HTTP", "Hints", "JSON", "PluginProtocol", "Secrets", "World"],
      exclude: ["plugin.json"], swiftSettings: style),

    // Built for the tests alone: test doubles, and programs that a test starts as real processes.
    .target(
      name: "Support", dependencies: ["Arguments", "CChildProgram", "HTTP", "World"], path: "Tests/Support",
      swiftSettings: style),
    // Runs the program in process, in a home of its own, against a server or a plugin that a test scripts.
    .target(
      name: "ProgramDriver", dependencies: ["Support"] + named(commandModules + commandFoundations),
      path: "Tests/ProgramDriver", swiftSettings: style),
    .target(name: "CChildProgram", path: "Tests/CChildProgram"),
    .target(name: "CPseudoTerminal", path: "Tests/CPseudoTerminal"),
    .executableTarget(name: "WorldProbe", dependencies: ["World"], path: "Tests/WorldProbe", swiftSettings: style),
    .executableTarget(
      name: "store-writer", dependencies: ["Secrets", "Store", "World"], path: "Tests/StoreWriter",
      swiftSettings: style),

    // What must hold of any input from outside: run on the committed corpora by the tests, and by script/fuzz for ever.
    .target(
      name: "Properties",
      dependencies: [
        "API", "Applets", "Arguments", "Batch", "BrowserRedirects", "CommandContext", "Commands", "Connect",
        "ConnectionCommands", "DesiredState", "Display", "Encoding", "GrabID", "HTTP", "JSON", "Listener", "Location",
        "Pages", "PluginHost", "PluginProtocol", "Plugins", "Sandbox", "SandboxCommands", "Secrets", "ServiceAPI",
        "ServiceCommands", "SocketListener", "Store", "Time", "Users", "World",
      ],
      path: "Fuzz/Properties", swiftSettings: style),
    tests("Properties"),

    tests("Encoding", ["Secrets"]),
    tests("EnvironmentVariables"),
    tests("Time", ["HTTP", "World"]),
    tests("JSON"),
    tests("Hints"),
    tests("ConnectButton", ["Encoding", "Phrases", .product(name: "Crypto", package: "swift-crypto")]),
    tests("Phrases", ["JSON"], resources: [.copy("Fixtures")]),
    tests("Secrets", ["Encoding", .product(name: "Crypto", package: "swift-crypto")]),
    tests("Arguments", ["Encoding", "Hints"]),
    tests("World", ["CPseudoTerminal", "Encoding", "Time"]),
    tests("Pages", ["Arguments", "JSON"], resources: [.copy("Goldens")]),
    tests("Display", ["EnvironmentVariables", "JSON"], resources: [.copy("Samples")]),
    tests("HTTP", ["CCurl", "Encoding", "Secrets", "Time", "World"], resources: [.copy("Servers")]),
    tests(
      "Store",
      [
        "CSQLite", "Encoding", "Hints", "Secrets", "Time", "World", "store-writer",
        .product(name: "Crypto", package: "swift-crypto"),
      ], resources: [.copy("Releases")]),
    tests("API", ["HTTP", "JSON", "Secrets"]),
    tests("Connect", ["API", "HTTP", "JSON", "Secrets", "Time", "World"], resources: [.copy("Fixtures")]),
    tests("DesiredState", ["API", "Connect", "JSON"]),
    tests("Applets", ["API", "HTTP", "JSON", "Secrets"], resources: [.copy("Fixtures")]),
    tests("ServiceAPI", ["HTTP", "JSON", "Secrets", "World"]),
    tests("Location", ["Encoding", "JSON", "Time", "World"], resources: [.copy("Map/Goldens"), .copy("Tracks")]),
    tests("Sandbox", ["Encoding", "HTTP", "JSON", "Secrets", "Time", "World"], resources: [.copy("Examples")]),
    tests("SocketListener", ["Listener"]),
    tests("PluginProtocol"),
    tests("Plugins", ["Arguments", "HTTP", "Hints", "JSON", "PluginProtocol", "Secrets", "Time", "World"]),
    tests(
      "GrabID",
      [
        "Encoding", "EnvironmentVariables", "HTTP", "Hints", "JSON", "Secrets", "Time", "World",
        .product(name: "Crypto", package: "swift-crypto"), .product(name: "CryptoExtras", package: "swift-crypto"),
      ], resources: [.copy("Python")]),
    commandTests("CommandContext"),
    commandTests("Batch"),
    commandTests("Users"),
    commandTests("Changes"),
    commandTests("BrowserRedirects"),
    commandTests("PluginHost"),
    commandTests("ConnectionCommands"),
    commandTests("ActivationCommands"),
    commandTests("DesiredStateCommands"),
    commandTests("LocationCommands", resources: [.copy("Cases")]),
    commandTests("AppletCommands"),
    commandTests("AccountCommands"),
    commandTests("SandboxCommands"),
    commandTests("PluginCommands"),
    commandTests("ServiceCommands"),
    commandTests("Commands", resources: [.copy("Tree/Goldens")]),
    .testTarget(name: "LayoutTests", dependencies: ["EnvironmentVariables", "Support"], swiftSettings: style),
    .testTarget(
      name: "TranscriptTests",
      dependencies: named(commandModules) + ["Arguments", "CPseudoTerminal", "HTTP", "Support", "World"],
      resources: [.copy("Journals"), .copy("Servers"), .copy("Transcripts")], swiftSettings: style),
  ],
  swiftLanguageModes: [.v6]
)
