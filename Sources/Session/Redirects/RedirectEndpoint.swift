package import CommandLine
import HTTP
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
