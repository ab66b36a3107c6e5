import JSON
import PluginProtocol
import Text

/// Responds to a plugin's requests in a conformance test, with the scripted answers of a user and a store in memory. It
/// rejects requests that the program would reject.
struct ScriptedHost {
  private let plugin: PluginProgram
  private let answers: ConformanceAnswers
  private var credentials: [(name: String, value: String)]
  private var prompts: [String]
  private var confirms: [Bool]
  private var redirects: [String]
  /// The secrets that the plugin received or saved.
  private(set) var secrets: Set<String> = []

  init(for plugin: PluginProgram, _ answers: ConformanceAnswers) {
    (self.plugin, self.answers) = (plugin, answers)
    (credentials, prompts) = (answers.credentials, answers.prompts)
    (confirms, redirects) = (answers.confirms, answers.redirects)
  }

  /// - Parameter isAttended: whether the request that the plugin processes may involve the user.
  /// - Throws: ``ConformanceError`` if the plugin must not send this request.
  mutating func respond(
    to method: String, _ params: Value, isAttended: Bool
  ) throws(ConformanceError) -> Result<Value, PluginError> {
    guard let service = HostService(rawValue: method) else { return .failure(Self.refusal) }
    switch service {
    case .getCredential, .saveCredentials, .deleteCredential, .listCredentials:
      return .success(try credential(service, params))
    case .acquireLock, .releaseLock: return .success(.emptyObject)
    case .openRedirect, .openBrowser:
      guard plugin.usesBrowser else {
        throw ConformanceError("it uses the browser, which its manifest does not declare with \"browser\": true")
      }
    default: break
    }
    guard isAttended else { return .failure(Self.refusal) }
    return answer(service, params).map { .success($0) } ?? .failure(Self.refusal)
  }

  /// The scripted answer of the user; nil if the host does not prompt.
  private mutating func answer(_ service: HostService, _ params: Value) -> Value? {
    switch service {
    case .prompt:
      guard !prompts.isEmpty else { return nil }
      let answer = prompts.removeFirst()
      if params["secret"]?.bool == true { addSecret(answer) }
      return ["value": Value(answer)]
    case .confirm: return confirms.isEmpty ? nil : ["yes": Value(confirms.removeFirst())]
    case .readInput:
      guard let input = answers.input else { return nil }
      addSecret(input)
      return ["text": Value(input)]
    case .wait: return answers.isAttended ? .emptyObject : nil
    case .openBrowser: return ["opened": Value(answers.isAttended)]
    case .bindRedirect: return redirects.isEmpty ? nil : ["redirect_uri": Value(Self.bound(params))]
    case .openRedirect: return redirect(params)
    case .finishRedirect: return .emptyObject
    default: return nil
    }
  }

  private mutating func redirect(_ params: Value) -> Value? {
    guard !redirects.isEmpty else { return nil }
    let state = Percent.encode(params["state"]?.string ?? "")
    let query = redirects.removeFirst().replacing("{state}", by: state)
    return ["redirect_uri": params["redirect_uri"] ?? .null, "query": Value(query), "via": "listener"]
  }

  /// The redirect URI with a port.
  private static func bound(_ params: Value) -> String {
    let uri = params["redirect_uri"]?.string ?? "http://127.0.0.1:0\(params["path"]?.string ?? "/callback")"
    return uri.replacing(":0/", by: ":47823/")
  }

  private mutating func credential(_ service: HostService, _ params: Value) throws(ConformanceError) -> Value {
    let saved =
      params["values"]?.members ?? params["value"].map { [(name: params["name"]?.string ?? "", value: $0)] } ?? []
    let named = [params["name"]?.string].compactMap { $0 }
    let removed = (params["delete"]?.array ?? []).compactMap(\.string)
    if let name = (named + saved.map(\.name) + removed).first(where: { !plugin.mayUse(credential: $0) }) {
      throw ConformanceError("it requests the credential '\(name)', which its manifest does not list")
    }
    switch service {
    case .listCredentials:
      let prefix = params["prefix"]?.string ?? ""
      return ["names": Value(credentials.map(\.name).sorted().filter { $0.hasPrefix(prefix) }.map { Value($0) })]
    case .saveCredentials:
      for (name, value) in saved { save(name, value.string) }
      for name in removed { save(name, nil) }
      return .emptyObject
    default:
      let name = named.first ?? ""
      let found = credentials.first { $0.name == name }?.value
      if service == .deleteCredential || params["take"]?.bool == true { save(name, nil) }
      if service == .deleteCredential { return ["deleted": Value(found != nil)] }
      if let found { addSecret(found) }
      return ["value": Value(found)]
    }
  }

  private mutating func save(_ name: String, _ value: String?) {
    credentials.removeAll { $0.name == name }
    guard let value else { return }
    credentials.append((name, value))
    addSecret(value)
  }

  /// A short text would be found in other text by chance.
  private mutating func addSecret(_ secret: String) { if secret.utf8.count >= 6 { secrets.insert(secret) } }

  private static let refusal = PluginError("refused", "no user is present")
}

/// The scripted user, browser and stored credentials of a conformance test: the file of `plugin test --answers`.
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

  /// Whether a user is present.
  var isAttended: Bool { !(prompts.isEmpty && confirms.isEmpty && redirects.isEmpty && input == nil) }

  package static func == (left: Self, right: Self) -> Bool {
    left.credentials.elementsEqual(right.credentials, by: ==) && left.prompts == right.prompts
      && left.confirms == right.confirms && left.redirects == right.redirects && left.input == right.input
      && left.connection == right.connection && left.values == right.values && left.configured == right.configured
      && left.configuredValues == right.configuredValues && left.commands == right.commands
  }
}

/// The reason why a file is not a valid answers file.
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

  private static func wrong(_ owner: String, _ expected: String) -> ConformanceAnswersError {
    ConformanceAnswersError(description: "\(owner) is not \(expected)")
  }
}
