extension PluginTemplate {
  /// A Swift package; `make-plugin` assembles the plugin from it.
  var swift: [File] {
    let sources = "Sources/\(program)"
    let code =
      kind == .command
      ? [File(path: "\(sources)/main.swift", text: command)]
      : [File(path: "\(sources)/main.swift", text: main), File(path: "\(sources)/Things.swift", text: things)]
    let package = File(path: "Package.swift", text: kind == .command ? plainPackage : package)
    return [package] + code + [File(path: "make-plugin", text: makePlugin, isExecutable: true), manifest]
  }

  private var package: String {
    named(
      #"""
      // swift-tools-version: 6.2
      import PackageDescription

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

      """#)
  }

  private var plainPackage: String {
    named(
      #"""
      // swift-tools-version: 6.2
      import PackageDescription

      let package = Package(
        name: "ifttt-@NAME@", platforms: [.macOS(.v13)], targets: [.executableTarget(name: "ifttt-@NAME@")])

      """#)
  }

  private var makePlugin: String {
    named(
      #"""
      #!/bin/sh
      # Builds the plugin and assembles the folder to install with 'ifttt plugin install'. The arguments are options of 'swift
      # build', such as --static-swift-stdlib for a program that needs no Swift on the user's Linux.
      set -eu
      cd "$(dirname "$0")"\#(kind == .command ? "" : checksPackage)
      swift build -c release "$@"
      mkdir -p plugin
      cp "$(swift build -c release "$@" --show-bin-path)/ifttt-@NAME@" plugin.json plugin/
      echo "Install it: ifttt plugin install $PWD/plugin"

      """#)
  }

  private var checksPackage: String {
    #"""

    if [ -z "${IFTTT_PACKAGE:-}" ] && [ ! -e ../ifttt/Package.swift ]; then
      echo "Set IFTTT_PACKAGE to a checkout of ifttt's repository, or to its URL: the library PluginProtocol is part of it." >&2
      exit 1
    fi
    """#
  }

  private var main: String {
    named(
      #"""
      import PluginProtocol

      /// A provider of connections: things that are on or off, stored in a file.
      ///
      /// ifttt starts this program and calls the methods below. Other methods of `Provider` are never called, because
      /// neither `capabilities` nor plugin.json lists them.
      struct ThingsProvider: Provider {
        let name = "@NAME@"
        let version = "0.1.0"
        let capabilities: [Capability] = [
          .listConnections, .showConnection, .enableConnection, .disableConnection,\#(kind == .both ? " .runCommand," : "")
        ]

        func list(status: String?, host: PluginHost) throws {
          for thing in try Things.load() where status == nil || thing.status == status {
            try host.send(thing.connection)
          }
        }

        func show(_ id: String, host: PluginHost) throws -> ProvidedConnection {
          try Things.find(id, in: Things.load()).connection
        }

        func enable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
          try turn(id, to: .enabled)
        }

        func disable(_ id: String, options: Value, host: PluginHost) throws -> StatusChange {
          try turn(id, to: .disabled)
        }\#(kind == .both ? runCommand : "")

        private func turn(_ id: String, to status: ProvidedConnection.Status) throws -> StatusChange {
          var things = try Things.load()
          let thing = try Things.find(id, in: things)
          if thing.connection.status != status {
            for place in things.indices where things[place].id == id { things[place].status = status.rawValue }
            try Things.save(things)
          }
          return StatusChange(status, from: thing.connection.status)
        }
      }

      PluginServer(ThingsProvider()).run()

      """#)
  }

  /// The method for commands, with the indentation that it has in the provider.
  private var runCommand: String {
    #"""


      /// Runs a command that plugin.json describes. Rows are sent, text is returned.
      func run(_ call: CommandCall, host: PluginHost) throws -> String? {
        switch call.command {
        case ["add"]:
          let thing = try Things.add(call.arguments.first ?? "")
          try host.send(thing.connection)
          return nil
        case ["file"]: return Things.file + "\n"
        default: throw PluginError("usage", "no such command")
        }
      }
    """#
  }

  /// Written in two parts because `script/lint` rejects an import of Foundation in this program's sources.
  var foundation: String { "import" + " Foundation" }

  private var things: String {
    named(
      #"""
      \#(foundation)
      import PluginProtocol

      /// One thing that is on or off.
      struct Thing: Codable {
        var id: String
        var name: String
        var status: String

        var connection: ProvidedConnection {
          ProvidedConnection(id: id, name: name, status: ProvidedConnection.Status(rawValue: status) ?? .unknown)
        }
      }

      /// The stored things.
      enum Things {
        static let file = (ProcessInfo.processInfo.environment["HOME"] ?? ".") + "/.ifttt-@NAME@/things.json"

        static func load() throws -> [Thing] {
          guard let data = FileManager.default.contents(atPath: file) else {
            return [
              Thing(id: "1", name: "Kettle", status: "enabled"), Thing(id: "2", name: "Fan", status: "disabled"),
            ]
          }
          return try JSONDecoder().decode([Thing].self, from: data)
        }

        static func save(_ things: [Thing]) throws {
          let url = URL(fileURLWithPath: file)
          try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
          try JSONEncoder().encode(things).write(to: url, options: .atomic)
        }

        static func add(_ name: String) throws -> Thing {
          var things = try load()
          let number = (things.compactMap { Int($0.id) }.max() ?? 0) + 1
          let thing = Thing(id: String(number), name: name, status: "disabled")
          things.append(thing)
          try save(things)
          return thing
        }

        /// - Throws: an error that ifttt shows to the user.
        static func find(_ id: String, in things: [Thing]) throws -> Thing {
          guard let thing = things.first(where: { $0.id == id }) else {
            throw PluginError(
              "not_found", "no thing '\(id)'", hint: "See 'ifttt connections list --provider @NAME@'.")
          }
          return thing
        }
      }

      """#)
  }

  /// The program of a command plugin in Swift.
  var command: String {
    named(
      #"""
      // 'ifttt @NAME@' runs this program. ifttt checks the arguments against plugin.json in the same folder and passes
      // them on. Stdin, stdout and stderr are the user's, and the exit status is also the exit status of ifttt. The
      // environment contains IFTTT_PROFILE and IFTTT_OUTPUT (the profile and the output format), a few common variables,
      // and those under "environment" in plugin.json.
      \#(foundation)

      var (who, isLoud, hasEnded) = ([String](), false, false)
      for argument in CommandLine.arguments.dropFirst() {
        switch argument {
        case "--" where !hasEnded: hasEnded = true  // All arguments after it are names.
        case "--loud" where !hasEnded: isLoud = true
        default: who.append(argument)
        }
      }

      let profile = ProcessInfo.processInfo.environment["IFTTT_PROFILE"] ?? "default"
      let greeting = "Hello, \(who.isEmpty ? profile : who.joined(separator: " "))."
      print(isLoud ? greeting.uppercased() : greeting)

      """#)
  }
}
