import GrabID
import PluginProtocol
import Text

/// The program that runs the plugin, as the host of a sign-in.
final class ServedHost: GrabHost {
  private let host: PluginHost

  init(_ host: PluginHost) { self.host = host }

  var isInteractive: Bool { host.greeting.isInteractive }

  func credential(_ name: String) throws -> String? { try asked { try host.credential(name) } }
  func takeCredential(_ name: String) throws -> String? { try asked { try host.takeCredential(name) } }
  func credentialNames(prefix: String) throws -> [String] { try asked { try host.credentialNames(prefix: prefix) } }

  func changeCredentials(
    put values: [(name: String, value: String)], delete names: [String], areObtained: Bool
  ) throws {
    let values = Dictionary(values.map { ($0.name, $0.value) }) { $1 }
    let save = { try self.host.saveCredentials(values, deleting: names, recovering: areObtained) }
    // Deletions (above all of a pending login) and tokens that cannot be obtained again are saved even after Ctrl-C.
    try asked { try values.isEmpty || areObtained ? host.tidyUp(save) : save() }
  }

  func bindRedirect(_ redirectURI: String?, path: String) throws -> String {
    // The listener does not match the query of a redirect URI.
    let address = redirectURI.map { String($0.prefix { $0 != "?" }) }
    let query = redirectURI.map { String($0.dropFirst(address?.count ?? 0)) } ?? ""
    return try asked { try host.bindRedirect(address, path: path) } + query
  }

  func openRedirect(_ opening: RedirectOpening) throws -> HostRedirect {
    // The program compares only the address; the query of the redirect URI returns among the parameters.
    let address = String(opening.redirectURI.prefix { $0 != "?" })
    var request = RedirectRequest(url: opening.url, redirectURI: address, state: opening.state)
    request.issuer = opening.issuer
    request.opensBrowser = opening.opensBrowser
    request.serviceName = opening.serviceName
    request.timeout = opening.limit ?? personLimit ?? .seconds(300)
    let result: Value
    do { result = try asked { try host.request("redirect/open", request.params) } } catch let failure as GrabError {
      throw failure.ofRedirect
    }
    return HostRedirect(
      query: result["query"]?.string ?? "", way: result["via"]?.string == "paste" ? .paste : .listener)
  }

  func finishRedirect(success: Bool, message: String) throws {
    try asked { try host.tidyUp { try host.finishRedirect(succeeded: success, message.isEmpty ? nil : message) } }
  }

  func acquireLock(_ name: String) throws {
    try asked { try host.acquireLock(name, timeout: timeForCalls) }
  }
  func releaseLock(_ name: String) throws { try asked { try host.tidyUp { try host.releaseLock(name) } } }

  func waitForPerson(seconds: Int) throws { try asked { try host.waitForPerson(.seconds(seconds)) } }

  /// The time left for the request, minus the time to report a timeout.
  var timeForCalls: Duration { host.timeLeft - min(.seconds(1), host.greeting.timeout / 10) }

  /// A user takes longer than a server, so the default timeout of one request does not limit the wait for a user.
  var personLimit: Duration? { host.greeting.timeout == Greeting().timeout ? nil : host.greeting.timeout }

  func prompt(_ message: String, isSecret: Bool) throws -> String {
    try asked { try host.prompt(message, secret: isSecret) }
  }
  func confirm(_ message: String) throws -> Bool { try asked { try host.confirm(message) } }

  func readInput() throws -> String {
    guard host.greeting.capabilities.contains("input") else {
      throw GrabError(
        code: .usage, message: "this program does not pass stdin to plugins",
        hint: "Pass the text in a file, or enter it on a terminal.")
    }
    return try asked { try host.request("input/read", ["limit": 65_536]) }["text"]?.string ?? ""
  }

  func open(_ url: String) throws -> Bool {
    guard host.greeting.capabilities.contains("browser") else { return false }
    return try asked { try host.request("browser/open", ["url": Value(url)]) }["opened"]?.bool ?? false
  }

  func note(_ level: NoteLevel, _ text: String) {
    guard level != .debug || host.greeting.isVerbose else { return }
    let heard: PluginHost.Level =
      switch level {
      case .debug: .debug
      case .info: .info
      case .warning: .warning
      }
    // If this fails, the program has closed its end and cannot receive the message.
    try? host.log(heard, text)
  }

  /// Converts the program's rejections to the errors of the sign-in.
  private func asked<Answer>(_ body: () throws -> Answer) throws -> Answer {
    do { return try body() } catch let error as PluginError {
      if error.number == PluginError.Number.cancelled.rawValue { throw GrabCancellationError() }
      throw GrabError(
        code: ProblemCode(rawValue: error.code ?? ProblemCode.pluginFailed.rawValue), message: error.message,
        reason: error.reason, hint: error.hint.map { Hint($0) })
    } catch is HostDisconnectedError { throw GrabCancellationError() }
  }
}
