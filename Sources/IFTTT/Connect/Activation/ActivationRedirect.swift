package import Text

/// The result of an activation, from the browser's redirect (reference: activation.md, section 5).
package enum ActivationRedirect: Sendable, Equatable {
  case complete(token: Secret?)
  case accountCreationFailed
  case authorizationFailed(AuthorizationFailure)
  /// Canceled on IFTTT's configuration screen.
  case cancelled
  /// The Connect URL's redirect, which is not known to carry any information (U12).
  case back
  case unknown(Unknown)

  /// The part of signing in that failed.
  package enum AuthorizationFailure: Sendable, Equatable {
    case partnerSignIn, identityNotVerified, appCouldNotFinish
    /// An unknown error type.
    case other(String)
    /// No error type was sent.
    case unexplained

    init(onWire word: String?) {
      self =
        switch word {
        case nil, "": .unexplained
        case "auth_error": .partnerSignIn
        case "verification_failed": .identityNotVerified
        case "connection_request_failed": .appCouldNotFinish
        case let word?: .other(word)
        }
    }
  }

  /// The reason a redirect is not recognized.
  package enum Unknown: Sendable, Equatable {
    case noStep
    case step(String)
    /// All parameters came after `#`, which browsers do not send to a server.
    case behindFragment
    /// A percent sign without its digits, or bytes that are not text.
    case damaged
  }
}

/// A redirect URL, compared with the expected one.
package enum RedirectParser: Sendable, Equatable {
  case accepted(ActivationRedirect)
  case refused(Difference)

  /// The part that differs from the expected URL.
  package enum Difference: Sendable, Equatable {
    case noURL, scheme, host, path
    /// Part of the expected query is missing, as in an old redirect or one for another activation.
    case query
  }

  /// - Parameter text: the whole URL from the browser.
  package init(_ text: String, at address: RedirectURI, of page: ActivationPage) {
    guard let parts = RedirectParts(text) else {
      self = .refused(.noURL)
      return
    }
    let difference: Difference? =
      parts.scheme != address.scheme
      ? .scheme : parts.authority != address.authority ? .host : parts.path != address.path ? .path : nil
    if let difference {
      self = .refused(difference)
      return
    }
    var items = parts.query
    for expected in address.items {
      let place = items.firstIndex { item in
        RawQueryItem.decoded(item.name) == expected.name
          && (item.value == nil ? expected.value == nil : item.value.flatMap(RawQueryItem.decoded) == expected.value)
      }
      guard let place else {
        self = .refused(.query)
        return
      }
      items.remove(at: place)
    }
    self = .accepted(ActivationRedirect(items, hasFragment: !(parts.fragment ?? "").isEmpty, of: page))
  }
}

extension ActivationRedirect {
  /// - Parameter items: the query items that do not belong to the redirect URI itself; the first of several with the
  ///   same name counts.
  fileprivate init(_ items: [RawQueryItem], hasFragment: Bool, of page: ActivationPage) {
    do throws(Damage) {
      func text(_ name: String) throws(Damage) -> String? {
        guard let spelled = items.first(where: { $0.name == name })?.value else { return nil }
        guard let text = RawQueryItem.decoded(spelled), text.unicodeScalars.allSatisfy({ $0.value >= 0x20 }) else {
          throw Damage()
        }
        return text
      }
      switch try text("next_step") {
      case nil where items.isEmpty && hasFragment, "" where items.isEmpty && hasFragment:
        self = .unknown(.behindFragment)
      case nil, "": self = page == .connect && ConnectAssumptions.connectReturnSaysNothing ? .back : .unknown(.noStep)
      case "complete":
        let token = try text("user_token") ?? ""
        guard token.isEmpty || Secret(parsing: token) != nil else { throw Damage() }
        self = .complete(token: Secret(parsing: token))
      case "error":
        let word = try text("error_type")
        self = word == "account_creation" ? .accountCreationFailed : .authorizationFailed(.init(onWire: word))
      case "user_cancelled_configuration": self = .cancelled
      case let step?: self = .unknown(.step(step))
      }
    } catch {
      self = .unknown(.damaged)
    }
  }

  private struct Damage: Error {}
}
