import Foundation
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
