package import CommandLine
package import HTTP
package import IFTTT
import Store
import Text
import World

/// The options of every command that opens an IFTTT page and waits: how the page is opened, and where it redirects.
package struct RedirectOptions: Sendable {
  package var address: RedirectURI?
  package var usesNonce = true
  package var usesBrowser = true

  package init(address: RedirectURI? = nil, usesNonce: Bool = true, usesBrowser: Bool = true) {
    (self.address, self.usesNonce, self.usesBrowser) = (address, usesNonce, usesBrowser)
  }

  /// Whether the redirect URI is not a loopback URL. The redirect is then passed to this program on stdin.
  package var isElsewhere: Bool { address?.kind == .elsewhere }

  package static var flags: [Flag<RedirectOptions>] { flags() }

  /// - Parameter isAdvanced: whether `-h` omits them.
  package static func flags(isAdvanced: Bool = false) -> [Flag<RedirectOptions>] {
    [
      .toggle(
        "browser", negatable: true, into: \.usesBrowser, defaultText: "on", isAdvanced: isAdvanced,
        help: "Open the browser; without it, only print the URL and wait"),
      .value(
        "redirect-uri", .redirectURI, into: \.address,
        defaultText: "the profile's, otherwise a free port of 127.0.0.1 and a random path", isAdvanced: true,
        help: "Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme"),
      .toggle(
        "nonce", negatable: true, into: \.usesNonce, defaultText: "on", isAdvanced: true,
        help: "Add a random part to --redirect-uri, and reject redirects without it"),
    ]
  }
}

extension Session {
  /// The options with the profile's redirect URI if none is given.
  package func completed(_ given: RedirectOptions) throws -> RedirectOptions {
    guard given.address == nil, let stored = try profile.settings[.redirectURI], !stored.isEmpty else { return given }
    var options = given
    do throws(ValueError) { options.address = try ValueKind<RedirectURI>.redirectURI.parse(stored) } catch {
      throw Problem(
        .usage, "profile '\(try profileName)' has an invalid redirect URI", reason: error.message,
        hint: "Change it: \(ifttt: "profile set \(try profileName) --redirect-uri URL").")
    }
    return options
  }
}

/// The redirect URI and, if needed, its listener.
package struct RedirectEndpoint {
  package let address: RedirectURI
  /// The listener; nil if the redirect goes elsewhere and the pages are IFTTT's, so that this run serves nothing.
  package let listener: RedirectListener<ActivationMessage>?

  /// - Parameters:
  ///   - service: the service whose name and color appear on the browser's last page.
  ///   - isPending: whether the connection must then still be configured.
  /// - Throws: ``Problem`` if the address is unavailable for listening.
  package init(
    _ options: RedirectOptions, of page: ActivationPage, for service: Service?, isPending: Bool = false,
    in session: Session
  ) throws {
    let nonce = session.newNonce()
    let pages = ActivationPages(
      page: session.landingPage(for: service, isPending: isPending), otherPaths: try session.sandboxPages())
    let loopback = try session.network.listener()
    switch options.address {
    case let given? where options.isElsewhere:
      address = options.usesNonce ? given.expecting("nonce", nonce) : given
      // The sandbox's pages must be served anyway.
      listener =
        pages.otherPaths == nil
        ? nil : try RedirectListener.listen(nil, nonce: nonce, of: page, with: loopback, pages).listener
    case let given:
      (listener, address) = try RedirectListener.listen(
        given, nonce: given == nil || options.usesNonce ? nonce : nil, of: page, with: loopback, pages)
    }
  }
}

extension Session {
  /// Polls once during a wait. Its requests are not retried, because the next poll repeats them anyway.
  /// - Parameter whole: the timeout of the wait, which limits every request after this one.
  package func polling<Value>(for limit: Duration, of whole: Duration, _ poll: () throws -> Value) throws -> Value {
    try network.http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
    defer { limitRequests(to: whole) }
    return try poll()
  }
}

extension ValueKind<RedirectURI> {
  package static var redirectURI: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL")) { (text: String) throws(ValueError) in
      do throws(WebURLError) {
        let address = try RedirectURI(parsing: text)
        if case .loopback(let host, _) = address.kind, LoopbackAddress.Host.named(host).isEmpty {
          throw WebURLError("the only loopback addresses to listen on are 127.0.0.1, [::1] and localhost")
        }
        return address
      } catch {
        throw ValueError(error.description)
      }
    }
  }
}

extension ValueKind<EmailAddress> {
  package static var emailAddress: ValueKind<EmailAddress> {
    .parsed("EMAIL", expected: "one email address, such as kai@mail.test") { EmailAddress(parsing: $0) }
  }
}

/// A redirect that the listener of an activation received.
package enum ActivationMessage: Sendable, Equatable {
  case returned(ActivationRedirect)
  /// A request for the path of the redirect URI that is not the expected redirect, for example without the nonce.
  case foreign
}

/// The pages that the browser shows after an activation.
struct ActivationPages: Sendable {
  /// Creates the page for a redirect; nil for an unexpected request. Called on the listener's thread.
  let page: @Sendable (ActivationRedirect?) -> Reply
  /// Responds to requests for other paths; nil to respond with 404.
  let otherPaths: (@Sendable () -> any HTTPResponder)?

  var unexpected: Reply {
    var reply = page(nil)
    reply.status = 404
    return reply
  }
}

extension RedirectListener<ActivationMessage> {
  /// Starts listening for the redirect of an activation.
  /// - Parameters:
  ///   - fixed: a loopback URL; nil for any free port of 127.0.0.1 and a random path.
  ///   - nonce: the nonce that is added to a fixed URL, or the random path; nil to use the fixed URL unchanged.
  /// - Returns: the listener, and the redirect URI with the nonce.
  /// - Throws: ``Problem``.
  static func listen(
    _ fixed: RedirectURI?, nonce: String?, of kind: ActivationPage, with listener: any LoopbackListener,
    _ pages: ActivationPages
  ) throws -> (listener: RedirectListener, address: RedirectURI) {
    let (host, port) = fixed?.loopback ?? (LoopbackAddress.Host.v4.rawValue, 0)
    let expected: RedirectURI =
      if let fixed { nonce.map { fixed.expecting("nonce", $0) } ?? fixed } else { try .random(nonce ?? "") }
    do {
      let redirectListener = try RedirectListener(on: LoopbackAddress.Host.named(host), port: port, with: listener) {
        _, messages, result in
        RedirectResponder(
          at: expected.target.prefix { $0 != "?" }, unexpected: pages.unexpected, result: result,
          otherPaths: pages.otherPaths?()
        ) { request in
          // The listener has already checked the Host header.
          guard case .accepted(let redirect) = RedirectParser(expected.origin + request.target, at: expected, of: kind)
          else {
            messages.send(.foreign)
            return .rejected(pages.unexpected)
          }
          return .accepted(pages.page(redirect)) { messages.send(.returned(redirect)) }
        }
      }
      return (redirectListener, fixed == nil ? try expected.moved(to: redirectListener.origin) : expected)
    } catch let error as RedirectListenerError { throw Problem(error.cause, at: error.address) }
  }
}

extension RedirectURI {
  /// The host and port (or 0) of a URL that supports listening.
  fileprivate var loopback: (String, Int)? {
    guard case .loopback(let host, let port) = kind else { return nil }
    return (host, port ?? 80)
  }

  /// An unguessable URL whose port is not yet known.
  fileprivate static func random(_ nonce: String) throws(WebURLError) -> RedirectURI {
    try RedirectURI(parsing: "http://127.0.0.1/ifttt/return/\(nonce)")
  }

  /// The path and query.
  fileprivate var target: Substring {
    let rest = text.dropFirst(origin.utf8.count)
    return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
  }

  fileprivate var origin: String {
    let slashes = text.prefix { $0 != ":" }.count + "://".count
    return String(text.prefix(slashes) + text.dropFirst(slashes).prefix { $0 != "/" && $0 != "?" })
  }

  fileprivate func moved(to origin: String) throws(WebURLError) -> RedirectURI {
    try RedirectURI(parsing: origin + target)
  }
}

extension Problem {
  fileprivate init(_ error: ListenerError, at address: LoopbackAddress) {
    self.init(
      .refused, "cannot listen on \(address.url)", reason: error.description,
      hint: error.isAddressInUse
        ? "Another program is listening there; pass another port in --redirect-uri, or omit it to use a free port."
        : "Pass another port in --redirect-uri, or omit it to use a free port.")
  }
}

extension Reply {
  package init(_ page: LandingPage) {
    self.init(status: 200, fields: page.fields.map { HeaderField($0.0, $0.1) }, body: page.html)
  }
}
