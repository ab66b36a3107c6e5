package import API
package import Arguments
package import CommandContext
package import Connect
import HTTP
import Hints
import Listener
import Store
import World

/// How a page of IFTTT's is opened, and where it is to return to: what every command is told that opens one and waits.
package struct RedirectOptions: Sendable {
  package var address: RedirectURI?
  package var usesNonce = true
  package var usesBrowser = true

  package init(address: RedirectURI? = nil, usesNonce: Bool = true, usesBrowser: Bool = true) {
    (self.address, self.usesNonce, self.usesBrowser) = (address, usesNonce, usesBrowser)
  }

  /// Whether the address is no loopback one: whoever gets the return there hands it over on standard input.
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
        defaultText: "the profile's, else a free port of 127.0.0.1 and a random path", isAdvanced: true,
        help: help(
          "Redirect the browser to this URI: a loopback address to listen on, your own page, or your own scheme",
          on: condition)),
      .toggle(
        "nonce", negatable: true, into: \.usesNonce, defaultText: "on", isAdvanced: true,
        help: help(
          "Add a random part to --redirect-uri, and reject redirects without it", on: condition)),
    ]
  }

  /// The help of an option, after the condition under which it is accepted.
  package static func help(_ text: String, on condition: String?) -> String {
    guard let condition else { return text }
    // A name keeps its capitals.
    let isName = text.dropFirst().first?.isUppercase == true
    return condition + (isName ? text : text.prefix(1).lowercased() + text.dropFirst())
  }
}

extension Session {
  /// The options with the profile's redirect URI if none is given.
  package func completed(_ given: RedirectOptions) throws -> RedirectOptions {
    guard given.address == nil, let kept = try profile.settings[.redirectURI], !kept.isEmpty else { return given }
    var options = given
    do throws(ValueError) { options.address = try ValueKind<RedirectURI>.returnAddress.parse(kept) } catch {
      throw Problem(
        .usage, "profile '\(try profileName)' has an invalid redirect URI", reason: error.message,
        hint: "Change it: \(ifttt: "profile create \(try profileName) --update --redirect-uri URL").")
    }
    return options
  }
}

/// The address that the browser returns to, and whatever of this run's listens for it.
package struct RedirectEndpoint {
  package let address: RedirectURI
  /// Nil where nothing that this run serves is needed: the return comes elsewhere, and the pages are IFTTT's.
  package let listener: ActivationRedirectListener?

  /// - Parameters:
  ///   - service: whose name and colour the page has that the browser ends on.
  ///   - isPending: whether something is left to configure then.
  /// - Throws: ``Problem`` where the address cannot be listened at.
  package init(
    _ options: RedirectOptions, of page: ActivationPage, for service: Service?, isPending: Bool = false,
    in session: Session
  ) throws {
    let nonce = session.newNonce()
    let pages = try session.sandboxPages()
    func listen(at fixed: RedirectURI?, nonce: String?) throws -> ActivationRedirectListener {
      try ActivationRedirectListener(
        fixed, nonce: nonce, of: page, with: session.listener(),
        page: session.landing(for: service, isPending: isPending), beside: pages)
    }
    switch options.address {
    case let given? where options.isElsewhere:
      address = options.usesNonce ? given.expecting("nonce", nonce) : given
      // The sandbox's pages have to be served all the same.
      listener = pages == nil ? nil : try listen(at: nil, nonce: nonce)
    case let given:
      let own = try listen(at: given, nonce: given == nil || options.usesNonce ? nonce : nil)
      (address, listener) = (own.address, own)
    }
  }
}

extension Session {
  /// Looks once while something else is waited for: no request of it is made twice, since it is looked again anyway.
  /// - Parameter whole: of the wait, which bounds every request after this one.
  package func looking<Seen>(for limit: Duration, of whole: Duration, _ look: () throws -> Seen) throws -> Seen {
    try http.policy = HTTPClient.Policy(timeout: limit, retries: 0, jobs: 1)
    defer { limitRequests(to: whole) }
    return try look()
  }
}

extension ValueKind<RedirectURI> {
  package static var returnAddress: ValueKind {
    ValueKind(ValueSchema(placeholder: "URL")) { (text: String) throws(ValueError) in
      do throws(WebURLError) {
        let address = try RedirectURI(parsing: text)
        if case .loopback(let host, _) = address.kind, ActivationRedirectListener.hosts(of: host).isEmpty {
          throw WebURLError("of this machine's addresses only 127.0.0.1, [::1] and localhost can be listened at")
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
    .parsed("EMAIL", expected: "one e-mail address, such as kai@mail.test") { EmailAddress(parsing: $0) }
  }
}
