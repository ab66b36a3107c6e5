import PluginProtocol

/// A provider of connections: things that are on or off, stored in a file.
///
/// ifttt starts this program and calls the methods below. Other methods of `Provider` are never called, because
/// neither `capabilities` nor plugin.json lists them.
struct ThingsProvider: Provider {
  let name = "@NAME@"
  let version = "0.1.0"
  let capabilities: [Capability] = [
    // @IF provider@
    .listConnections, .showConnection, .enableConnection, .disableConnection,
    // @END@
    // @IF both@
    .listConnections, .showConnection, .enableConnection, .disableConnection, .runCommand,
    // @END@
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
  }

  // @IF both@
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

  // @END@
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
