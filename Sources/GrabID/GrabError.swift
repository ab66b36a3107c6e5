import JSON
package import PluginProtocol
package import Text

/// The reason why a command of the plugin failed, with the program's and Grab's codes.
package struct GrabError: Error, Sendable {
  package var event: GrabEvent?
  package var code: ProblemCode
  package var grab: GrabCode?
  /// The description of what happened.
  package var message: String
  /// The reason; the server's text if it sent one.
  package var reason: String?
  /// The next step for the user.
  package var hint: Hint?
  /// The HTTP status of the server's response.
  package var status: Int?
  package var details: [PluginError.Detail] = []
  /// The number of seconds to wait before retrying.
  package var retryAfter: Int?
  /// Whether it is certain that no part of the request was sent.
  package var nothingWasSent = false

  /// Creates an error from a row of the table.
  /// - Parameters:
  ///   - domain: The domain of the request, for events without one of their own.
  ///   - status: The status of the response; selects the code if the table has two.
  ///   - code: The code, for an event without one in the table.
  package init(
    _ event: GrabEvent, _ message: String, reason: String? = nil, hint: Hint? = nil,
    in domain: GrabCode.Domain = .exchangeToken, status: Int? = nil, code: ProblemCode? = nil
  ) {
    let row = event.row
    self.event = event
    let fromTable = (status ?? 0) >= 500 ? row.codes.last : row.codes.first
    self.code = fromTable ?? code ?? .pluginFailed
    grab =
      switch row.grab {
      case .code(let domain, let name): GrabCode(domain, name)
      case .ofRequest(let name): GrabCode(domain, name)
      case nil: nil
      }
    (self.message, self.reason, self.hint, self.status) = (message, reason, hint, status)
  }

  /// The failure behind an error: a ``GrabError`` itself, or the program's rejection of a request; nil for a
  /// cancellation.
  package init?(_ error: any Error) {
    if let failure = error as? GrabError {
      self = failure
    } else if let rejection = error as? PluginError, rejection.number != PluginError.Number.cancelled.rawValue {
      code = rejection.code.map(ProblemCode.init(rawValue:)) ?? .pluginFailed
      (message, reason, hint) = (rejection.message, rejection.reason, rejection.hint.map { Hint($0) })
    } else {
      return nil
    }
  }

  /// This error as another event; the details of the request are retained.
  package func reported(as event: GrabEvent, _ message: String) -> GrabError {
    var error = GrabError(event, message, code: code)
    error.reason = [self.message, reason].compactMap { $0 }.joined(separator: ": ")
    (error.hint, error.status, error.details, error.retryAfter) = (hint, status, details, retryAfter)
    error.nothingWasSent = nothingWasSent
    return error
  }
}

extension GrabError {
  /// The error in the form that the program receives, with Grab's code as an extra member.
  package var pluginError: PluginError {
    var error = PluginError(code.rawValue, message, reason: reason, hint: hint?.text)
    (error.retryAfter, error.status, error.details) = (retryAfter, status, details)
    error.extra = ["grab_code": Value(grab?.json ?? .null)]
    error.reference = grab?.reference
    return error
  }
}

/// One of the program's error codes. Codes from the program are passed on unchanged.
package struct ProblemCode: Sendable, Hashable, RawRepresentable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let refused = ProblemCode(rawValue: "refused")
  package static let conflict = ProblemCode(rawValue: "conflict")
  package static let invalidParameters = ProblemCode(rawValue: "invalid_parameters")
  package static let userCancelled = ProblemCode(rawValue: "user_cancelled")
  package static let authorizationFailed = ProblemCode(rawValue: "authorization_failed")
  package static let unknownRedirect = ProblemCode(rawValue: "unknown_redirect")
  package static let stateMismatch = ProblemCode(rawValue: "state_mismatch")
  package static let pluginFailed = ProblemCode(rawValue: "plugin_failed")
  package static let usage = ProblemCode(rawValue: "usage")
  package static let notFound = ProblemCode(rawValue: "not_found")
  package static let credentialsMissing = ProblemCode(rawValue: "credentials_missing")
  package static let unauthorized = ProblemCode(rawValue: "unauthorized")
  package static let forbidden = ProblemCode(rawValue: "forbidden")
  package static let network = ProblemCode(rawValue: "network")
  package static let timeout = ProblemCode(rawValue: "timeout")
  package static let rateLimited = ProblemCode(rawValue: "rate_limited")
  package static let serverError = ProblemCode(rawValue: "server_error")
  package static let badResponse = ProblemCode(rawValue: "bad_response")
  package static let tls = ProblemCode(rawValue: "tls")
}

/// Untrusted text prepared for an error message: one line, no control characters, limited length.
package enum DisplayText {
  /// The printable form of a text.
  /// - Parameter limit: the maximum number of characters; longer text ends with an ellipsis.
  package static func shown(_ text: String, limit: Int = 500) -> String {
    var shown = ""
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.value {
      case 0..<0x20, 0x7f...0x9f, 0x2028, 0x2029, 0x202a...0x202e, 0x2066...0x2069: shown += "\u{fffd}"
      default: shown.unicodeScalars.append(scalar)
      }
    }
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }

  package static func shown(_ bytes: [UInt8], limit: Int = 200) -> String {
    shown(String(decoding: bytes.prefix(limit * 4), as: UTF8.self), limit: limit)
  }
}
