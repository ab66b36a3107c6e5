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

  /// Whether the URL is not a loopback URL. The receiver of the redirect then passes it to this program on stdin.
  package var isElsewhere: Bool { address?.kind == .elsewhere }

  package static var flags: [Flag<RedirectOptions>] { flags() }

  /// - Parameter condition: a prefix for each help text, such as `With --skip, `; nil if they are always accepted.
  package static func flags(on condition: String? = nil) -> [Flag<RedirectOptions>] {
    [
      .toggle(
        "browser", negatable: true, into: \.usesBrowser, defaultText: "on", isAdvanced: condition != nil,
        help: help("Open the browser; without it, only print the URL and wait", on: condition)),
      .value(
        "redirect-uri", .returnAddress, into: \.address,
        defaultText: "the profile's, otherwise a free port of 127.0.0.1 and a random path", isAdvanced: true,
        help: help(
          "Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme",
          on: condition)),
      .toggle(
        "nonce", negatable: true, into: \.usesNonce, defaultText: "on", isAdvanced: true,
        help: help(
          "Add a random part to --redirect-uri, and reject redirects without it", on: condition)),
    ]
  }

  /// The help text of an option, after the condition under which it is accepted.
  package static func help(_ text: String, on condition: String?) -> String {
    guard let condition else { return text }
    // A proper name keeps its capitals.
    let isName = text.dropFirst().first?.isUppercase == true
    return condition + (isName ? text : text.prefix(1).lowercased() + text.dropFirst())
  }
}

extension Session {
  /// The options with the profile's redirect URI if none is given.
  package func completed(_ given: RedirectOptions) throws -> RedirectOptions {
    guard given.address == nil, let stored = try profile.settings[.redirectURI], !stored.isEmpty else { return given }
    var options = given
    do throws(ValueError) { options.address = try ValueKind<RedirectURI>.returnAddress.parse(stored) } catch {
      throw Problem(
        .usage, "profile '\(try profileName)' has an invalid redirect URI", reason: error.message,
        hint: "Change it: \(ifttt: "profile set \(try profileName) --redirect-uri URL").")
    }
    return options
  }
}

/// The redirect URI and, if needed, the listener for it.
package struct RedirectEndpoint {
  package let address: RedirectURI
  /// The listener; nil if this run serves nothing, because the redirect goes elsewhere and the pages are IFTTT's.
  package let listener: RedirectListener<ActivationMessage>?

  /// - Parameters:
  ///   - service: the service whose name and color appear on the browser's last page.
  ///   - isPending: whether configuration then remains to be done.
  /// - Throws: ``Problem`` if the address is unavailable for listening.
  package init(
    _ options: RedirectOptions, of page: ActivationPage, for service: Service?, isPending: Bool = false,
    in session: Session
  ) throws {
    let nonce = session.newNonce()
    let pages = ActivationPages(
      page: session.landing(for: service, isPending: isPending), beside: try session.sandboxPages())
    let loopback = try session.network.listener()
    switch options.address {
    case let given? where options.isElsewhere:
      address = options.usesNonce ? given.expecting("nonce", nonce) : given
      // The sandbox's pages must be served anyway.
      listener =
        pages.beside == nil
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
  package func polling<Seen>(for limit: Duration, of whole: Duration, _ poll: () throws -> Seen) throws -> Seen {
    try network.http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
    defer { limitRequests(to: whole) }
    return try poll()
  }
}

extension ValueKind<RedirectURI> {
  package static var returnAddress: ValueKind {
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
  /// A request for the right page without the random part.
  case foreign
}

/// The pages that the browser shows after an activation.
struct ActivationPages: Sendable {
  /// Creates the page for a redirect; nil for an unexpected request. Called on the listener's thread.
  let page: @Sendable (ActivationRedirect?) -> Reply
  /// Responds to requests for other paths; nil to respond with 404.
  let beside: (@Sendable () -> any HTTPResponder)?

  var unexpected: Reply {
    var reply = page(nil)
    reply.status = 404
    return reply
  }
}

extension RedirectListener<ActivationMessage> {
  /// Starts to listen for the redirect of an activation.
  /// - Parameters:
  ///   - fixed: a loopback URL; nil for any free port of 127.0.0.1 and a random path.
  ///   - nonce: the random part that is added to a fixed URL; nil to use the URL unchanged.
  /// - Returns: the listener, and the redirect URI with the random part.
  /// - Throws: ``Problem``.
  static func listen(
    _ fixed: RedirectURI?, nonce: String?, of kind: ActivationPage, with listener: any LoopbackListener,
    _ pages: ActivationPages
  ) throws -> (listener: RedirectListener, address: RedirectURI) {
    let (host, port) = fixed?.loopback ?? (LoopbackAddress.Host.v4.rawValue, 0)
    let expected: RedirectURI =
      if let fixed { nonce.map { fixed.expecting("nonce", $0) } ?? fixed } else { try .random(nonce ?? "") }
    do {
      let own = try RedirectListener(on: LoopbackAddress.Host.named(host), port: port, with: listener) {
        _, messages, result in
        RedirectResponder(
          at: expected.target.prefix { $0 != "?" }, unexpected: pages.unexpected, result: result,
          beside: pages.beside?()
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
      return (own, fixed == nil ? try expected.moved(to: own.origin) : expected)
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
  fileprivate static func random(_ part: String) throws(WebURLError) -> RedirectURI {
    try RedirectURI(parsing: "http://127.0.0.1/ifttt/return/\(part)")
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

extension LandingPage.Outcome {
  /// - Parameters:
  ///   - redirect: the redirect; nil if the request was unexpected.
  ///   - isPending: whether configuration remains to be done after the activation.
  package init(_ redirect: ActivationRedirect?, isPending: Bool) {
    self =
      switch redirect {
      case nil: .unexpected
      case .complete: isPending ? .pending : .connected
      case .back: .back
      case .cancelled: .cancelled
      case .accountCreationFailed: .failed(.accountCreation)
      case .authorizationFailed(.partnerSignIn): .failed(.partnerSignIn)
      case .authorizationFailed(.identityNotVerified): .failed(.identity)
      case .authorizationFailed(.appCouldNotFinish): .failed(.app)
      case .authorizationFailed(.other(let word)): .failed(.other(word))
      case .authorizationFailed(.unexplained): .failed(.noReason)
      case .unknown: .failed(.unknownAnswer)
      }
  }
}

extension Reply {
  package init(_ page: LandingPage) {
    self.init(status: 200, fields: page.fields.map { HeaderField($0.0, $0.1) }, body: page.html)
  }
}
