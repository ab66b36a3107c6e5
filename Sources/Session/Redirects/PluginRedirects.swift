import HTTP
import Output
package import PluginProtocol
import World

/// Serves a plugin's sign-in in the browser: binds an address, opens the page, waits for the redirect or a pasted
/// URL, and shows the outcome on the page.
package final class PluginRedirects {
  private let session: Session
  /// The browser command that the user typed.
  private let browser: String?
  private var listeners: [String: PluginRedirectListener] = [:]
  /// The listener of the last redirect, whose page is waiting.
  private var waiting: PluginRedirectListener?

  package init(_ session: Session, browser: String?) { (self.session, self.browser) = (session, browser) }

  package func bind(_ params: Value) throws -> Value {
    let path = params["path"]?.string ?? "/callback"
    let requestedURI = params["redirect_uri"]?.string ?? "http://127.0.0.1:0\(path)"
    guard let address = RedirectAddress(parsing: requestedURI), address.loopback != nil else {
      throw PluginError.invalidParameters("'redirect_uri' must be at \(RedirectAddress.loopbackOrigins)")
    }
    guard listeners.count < 4 else { throw PluginError("refused", "a plugin cannot bind more than 4 redirect URIs") }
    let listener: PluginRedirectListener
    do {
      listener = try PluginRedirectListener(
        at: address, with: session.network.listener(), language: session.console.language)
    } catch let error as RedirectListenerError {
      throw PluginError(
        "conflict", "cannot listen on \(requestedURI)", reason: error.cause.description,
        hint: error.cause.isAddressInUse ? "Another program is listening there; choose another port." : nil)
    }
    listeners[listener.address] = listener
    return ["redirect_uri": Value(listener.address)]
  }

  package func open(_ params: Value) throws -> Value {
    guard let url = params["url"]?.string, let uri = params["redirect_uri"]?.string,
      let state = params["state"]?.string, !state.isEmpty, let address = RedirectAddress(parsing: uri)
    else { throw PluginError.invalidParameters("'url', 'redirect_uri' and 'state' are required") }
    try Self.check(url)
    guard !session.options.isDryRun else { throw PluginError.inDryRun }
    let listener = listeners[uri]
    guard listener != nil || address.isElsewhere else {
      throw PluginError.invalidParameters("'redirect_uri' is not bound")
    }
    var wait = PluginRedirectWait(
      RedirectRules(address: address, state: state, issuer: params["iss"]?.string), listener, in: session)
    wait.limit = params["timeout_ms"]?.milliseconds ?? .seconds(300)
    // The redirect may arrive before the command that opens the browser ends.
    listener?.expect(wait.rules, of: params["service_name"]?.string)
    // Even if the wait fails, a page may wait for the outcome.
    waiting = listener
    try show(url, opens: params["open_browser"]?.bool ?? true)
    session.noteWait(wait.limit)
    let (query, way) = try wait.run()
    listener?.stopListening()
    return ["redirect_uri": Value(uri), "query": Value(query), "via": Value(way.rawValue)]
  }

  package func finish(_ params: Value) throws -> Value {
    waiting?.finish(params["outcome"]?.string == "success" ? .success : .failure)
    waiting = nil
    return .emptyObject
  }

  /// Opens a page without a redirect.
  package func show(_ params: Value) throws -> Value {
    guard let url = params["url"]?.string else { throw PluginError.invalidParameters("'url' is missing") }
    try Self.check(url)
    guard session.console.mayPrompt, session.hasScreen, !session.options.isDryRun else { return ["opened": false] }
    do throws(SystemError) { try session.world.processes.openBrowser(url, with: browser) } catch {
      return ["opened": false]
    }
    return ["opened": true]
  }

  private static func check(_ url: String) throws(PluginError) {
    guard RedirectAddress(parsing: String(url.prefix { $0 != "?" && $0 != "#" }))?.isPage == true else {
      throw .invalidParameters("'url' must be https, or http on this machine")
    }
  }

  package func close() {
    for listener in listeners.values { listener.close() }
    (listeners, waiting) = ([:], nil)
  }

  /// Prints a URL, which a user on another machine needs, and opens it without waiting for Enter. A browser that the
  /// user named is opened even without a screen or a terminal.
  private func show(_ url: String, opens: Bool) throws {
    guard !opens || session.console.mayPrompt || browser != nil else {
      throw PluginError(
        "usage", "cannot open a browser without a terminal", reason: "there is no terminal, or --no-input was passed",
        hint: "Print the URL instead of opening it.")
    }
    try session.open(url, shownAs: url, usesBrowser: opens && (browser != nil || session.hasScreen), with: browser)
  }
}

extension PluginError {
  fileprivate static let inDryRun = PluginError("refused", "no page is opened with --dry-run")
}

extension RedirectAddress {
  /// Whether the URL may be opened in a browser.
  fileprivate var isPage: Bool { scheme == "https" && !authority.isEmpty || loopback != nil }
}

extension Session {
  /// Whether a browser would be visible on the user's screen.
  var hasScreen: Bool {
    let environment = world.environment
    func isSet(_ variable: EnvironmentVariable) -> Bool { !(environment[variable] ?? "").isEmpty }
    if isSet(.browser) { return true }
    if isSet(.sshConnection) || isSet(.sshTerminal) { return false }
    #if os(macOS)
      return true
    #else
      return isSet(.display) || isSet(.waylandDisplay)
    #endif
  }
}
