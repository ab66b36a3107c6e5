import JSON
import PluginProtocol
import Text

/// The person, the browser and the stored credentials of a conformance test: the file of `plugin test --answers`.
package struct ConformanceAnswers: Sendable, Equatable {
  /// A command to run.
  struct Command: Sendable, Equatable {
    var command: [String]
    var options: Value
    var arguments: [String]
  }

  /// The stored credentials by name. The plugin can change them.
  var credentials: [(name: String, value: String)] = []
  /// The answers to prompts, in order.
  var prompts: [String] = []
  /// The answers to confirmations, in order.
  var confirms: [Bool] = []
  /// The queries of the browser's redirects, in order. `{state}` stands for the state that the plugin sent.
  var redirects: [String] = []
  /// The text of stdin.
  var input: String?
  /// The connection to activate; nil for the first that is listed.
  var connection: String?
  /// The values of the activation.
  var values = Value.emptyObject
  /// The connection to configure; nil for none.
  var configured: String?
  /// The values of the configuration.
  var configuredValues = Value.emptyObject
  /// The commands to run.
  var commands: [Command] = []

  package init() {}

  /// Whether the person takes part.
  var isAttended: Bool { !(prompts.isEmpty && confirms.isEmpty && redirects.isEmpty && input == nil) }

  package static func == (one: Self, other: Self) -> Bool {
    one.credentials.elementsEqual(other.credentials, by: ==) && one.prompts == other.prompts
      && one.confirms == other.confirms && one.redirects == other.redirects && one.input == other.input
      && one.connection == other.connection && one.values == other.values && one.configured == other.configured
      && one.configuredValues == other.configuredValues && one.commands == other.commands
  }
}

/// The reason why a file has no valid answers.
package struct ConformanceAnswersError: Error, Sendable, Equatable {
  package let description: String
}

extension ConformanceAnswers {
  /// Reads the JSON object of an answers file. Unknown members are errors, because a misspelled one would be ignored.
  package init(parsing text: [UInt8]) throws(ConformanceAnswersError) {
    let value: Value
    do throws(MessageError) { value = try Value(parsing: text) } catch {
      throw ConformanceAnswersError(description: "\(error)")
    }
    for (name, member) in try Self.members(of: value, "the file") {
      switch name {
      case "credentials":
        for (name, value) in try Self.members(of: member, "'credentials'") {
          guard let text = value.string else { throw Self.wrong("'credentials'", "an object of strings") }
          credentials.append((name, text))
        }
      case "prompts": prompts = try Self.texts(member, "'prompts'")
      case "confirms":
        guard let flags = member.array, flags.allSatisfy({ $0.bool != nil }) else {
          throw Self.wrong("'confirms'", "an array of true and false")
        }
        confirms = flags.compactMap(\.bool)
      case "redirects": redirects = try Self.texts(member, "'redirects'").map(Self.query)
      case "input":
        guard let text = member.string else { throw Self.wrong("'input'", "a string") }
        input = text
      case "activate":
        let target = try Self.target(member, "'activate'")
        (connection, values) = (target.id, target.values)
      case "configure":
        let target = try Self.target(member, "'configure'")
        guard target.id != nil else { throw ConformanceAnswersError(description: "'configure' has no 'id'") }
        (configured, configuredValues) = (target.id, target.values)
      case "commands":
        guard let calls = member.array else { throw Self.wrong("'commands'", "an array of objects") }
        for call in calls { commands.append(try Self.command(call)) }
      default: throw ConformanceAnswersError(description: "the unknown member '\(name)'")
      }
    }
  }

  /// A connection and the values for it.
  private static func target(
    _ value: Value, _ owner: String
  ) throws(ConformanceAnswersError) -> (id: String?, values: Value) {
    var target: (id: String?, values: Value) = (nil, .emptyObject)
    for (name, member) in try members(of: value, owner) {
      switch name {
      case "id":
        guard let id = member.string else { throw wrong("'id' in \(owner)", "a string") }
        target.id = id
      case "values":
        _ = try members(of: member, "'values' in \(owner)")
        target.values = member
      default: throw ConformanceAnswersError(description: "the unknown member '\(name)' in \(owner)")
      }
    }
    return target
  }

  private static func command(_ value: Value) throws(ConformanceAnswersError) -> Command {
    var call = Command(command: [], options: .emptyObject, arguments: [])
    for (name, member) in try members(of: value, "an entry of 'commands'") {
      switch name {
      case "command": call.command = try texts(member, "'command'")
      case "options":
        _ = try members(of: member, "'options' in 'commands'")
        call.options = member
      case "arguments": call.arguments = try texts(member, "'arguments'")
      default: throw ConformanceAnswersError(description: "the unknown member '\(name)' in 'commands'")
      }
    }
    return call
  }

  /// The query of a redirect, which may be written with its question mark.
  private static func query(_ text: String) -> String { text.hasPrefix("?") ? String(text.dropFirst()) : text }

  private static func members(
    of value: Value, _ owner: String
  ) throws(ConformanceAnswersError) -> [(name: String, value: Value)] {
    guard let members = value.members else { throw wrong(owner, "a JSON object") }
    return members
  }

  private static func texts(_ value: Value, _ owner: String) throws(ConformanceAnswersError) -> [String] {
    guard let elements = value.array, elements.allSatisfy({ $0.string != nil }) else {
      throw wrong(owner, "an array of strings")
    }
    return elements.compactMap(\.string)
  }

  private static func wrong(_ owner: String, _ what: String) -> ConformanceAnswersError {
    ConformanceAnswersError(description: "\(owner) is not \(what)")
  }
}
