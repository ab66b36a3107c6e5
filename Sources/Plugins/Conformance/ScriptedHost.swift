import PluginProtocol
import Text

/// Responds to a plugin's requests in a conformance test, with the scripted answers of a person and a store in memory.
/// It rejects requests that the program would reject.
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
    switch method {
    case "credential/get", "credential/put", "credential/delete", "credential/list":
      return .success(try credential(method, params))
    case "lock/acquire", "lock/release": return .success(.emptyObject)
    case "redirect/open", "browser/open":
      guard plugin.usesBrowser else {
        throw ConformanceError("it uses the browser, which its manifest does not declare with \"browser\": true")
      }
    default: break
    }
    guard isAttended else { return .failure(Self.refusal) }
    return answer(method, params).map { .success($0) } ?? .failure(Self.refusal)
  }

  /// The person's answer; nil if there is none.
  private mutating func answer(_ method: String, _ params: Value) -> Value? {
    switch method {
    case "prompt":
      guard !prompts.isEmpty else { return nil }
      let answer = prompts.removeFirst()
      if params["secret"]?.bool == true { learn(answer) }
      return ["value": Value(answer)]
    case "confirm": return confirms.isEmpty ? nil : ["yes": Value(confirms.removeFirst())]
    case "input/read":
      guard let input = answers.input else { return nil }
      learn(input)
      return ["text": Value(input)]
    case "wait": return answers.isAttended ? .emptyObject : nil
    case "browser/open": return ["opened": Value(answers.isAttended)]
    case "redirect/bind": return redirects.isEmpty ? nil : ["redirect_uri": Value(Self.bound(params))]
    case "redirect/open": return redirect(params)
    case "redirect/finish": return .emptyObject
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

  private mutating func credential(_ method: String, _ params: Value) throws(ConformanceError) -> Value {
    let saved =
      params["values"]?.members ?? params["value"].map { [(name: params["name"]?.string ?? "", value: $0)] } ?? []
    let named = [params["name"]?.string].compactMap { $0 }
    let removed = (params["delete"]?.array ?? []).compactMap(\.string)
    if let name = (named + saved.map(\.name) + removed).first(where: { !plugin.mayUse(credential: $0) }) {
      throw ConformanceError("it requests the credential '\(name)', which its manifest does not list")
    }
    switch method {
    case "credential/list":
      let prefix = params["prefix"]?.string ?? ""
      return ["names": Value(credentials.map(\.name).sorted().filter { $0.hasPrefix(prefix) }.map { Value($0) })]
    case "credential/put":
      for (name, value) in saved { save(name, value.string) }
      for name in removed { save(name, nil) }
      return .emptyObject
    default:
      let name = named.first ?? ""
      let found = credentials.first { $0.name == name }?.value
      if method == "credential/delete" || params["take"]?.bool == true { save(name, nil) }
      if method == "credential/delete" { return ["deleted": Value(found != nil)] }
      if let found { learn(found) }
      return ["value": Value(found)]
    }
  }

  private mutating func save(_ name: String, _ value: String?) {
    credentials.removeAll { $0.name == name }
    guard let value else { return }
    credentials.append((name, value))
    learn(value)
  }

  /// A short text would be found in other text by chance.
  private mutating func learn(_ secret: String) { if secret.utf8.count >= 6 { secrets.insert(secret) } }

  private static let refusal = PluginError("refused", "no user is present")
}
