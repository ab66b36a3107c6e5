package import JSON
package import Text

/// The reason why a command of the plugin failed, with the program's and Grab's codes.
package struct GrabError: Error, Sendable {
  package struct Detail: Sendable, Equatable {
    package let parameter: String
    package let message: String
    package init(_ parameter: String, _ message: String) { (self.parameter, self.message) = (parameter, message) }
  }

  package var event: GrabEvent?
  package var code: ProblemCode
  package var grab: GrabCode?
  /// The description of what happened.
  package var message: String
  /// The reason, in the server's words if it gave any.
  package var reason: String?
  /// The next step for the user.
  package var hint: Hint?
  /// The HTTP status of the server's response.
  package var status: Int?
  package var details: [Detail] = []
  /// The number of seconds to wait before retrying.
  package var retryAfter: Int?
  /// Whether it is certain that no part of the request was sent.
  package var nothingWasSent = false

  /// Creates an error from a row of the table.
  /// - Parameters:
  ///   - domain: the domain of the request, for events without one of their own.
  ///   - status: the status of the response; selects the code if the table has two.
  ///   - code: the code, if the table leaves it to the failure.
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
      case .ofCall(let name): GrabCode(domain, name)
      case nil: nil
      }
    (self.message, self.reason, self.hint, self.status) = (message, reason, hint, status)
  }

  /// Creates an error from a failure of the host, unchanged.
  package init(code: ProblemCode, message: String, reason: String? = nil, hint: Hint? = nil) {
    (self.code, self.message, self.reason, self.hint) = (code, message, reason, hint)
  }

  /// This error as another event; the details of the request are retained.
  package func told(as event: GrabEvent, _ message: String) -> GrabError {
    var other = GrabError(event, message, code: code)
    other.reason = [self.message, reason].compactMap { $0 }.joined(separator: ": ")
    (other.hint, other.status, other.details, other.retryAfter) = (hint, status, details, retryAfter)
    other.nothingWasSent = nothingWasSent
    return other
  }
}

extension GrabError {
  /// The members of `data` in a JSON-RPC error, with Grab's code as an extra one.
  package var json: JSONValue {
    .object(
      JSONObject(members: [
        ("code", .string(code.rawValue)), ("reason", JSONValue(reason)), ("hint", JSONValue(hint?.text)),
        ("retry_after", JSONValue(retryAfter)), ("status", JSONValue(status)),
        (
          "details",
          .array(details.map { ["parameter": .string($0.parameter), "message": .string($0.message)] })
        ),
        ("extra", ["grab_code": grab?.json ?? .null]), ("reference", JSONValue(grab?.reference)),
      ]))
  }
}

/// The user or the host canceled the operation.
package struct GrabCancellationError: Error, Sendable {
  package init() {}
}
