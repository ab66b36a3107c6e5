package import Hints
package import JSON

/// Why a command of the plugin failed, in the program's terms and in Grab's.
package struct GrabError: Error, Sendable {
  package struct Detail: Sendable, Equatable {
    package let parameter: String
    package let message: String
    package init(_ parameter: String, _ message: String) { (self.parameter, self.message) = (parameter, message) }
  }

  package var event: GrabEvent?
  package var code: ProblemCode
  package var grab: GrabCode?
  /// What happened.
  package var message: String
  /// Why, in the server's words where it gave any.
  package var reason: String?
  /// What to do next.
  package var hint: Hint?
  /// Of the server's answer.
  package var status: Int?
  package var details: [Detail] = []
  /// In seconds.
  package var retryAfter: Int?
  /// Whether it is certain that nothing of the request left this machine.
  package var nothingWasSent = false

  /// - Parameters:
  ///   - domain: of the call, for the events that have none of their own.
  ///   - status: of the answer; picks the code where the table has two.
  ///   - code: where the table leaves it to how the call failed.
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

  /// A failure of the host, passed on as it is.
  package init(code: ProblemCode, message: String, reason: String? = nil, hint: Hint? = nil) {
    (self.code, self.message, self.reason, self.hint) = (code, message, reason, hint)
  }

  /// This failure, told as another event; what the call itself says stays.
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

/// The user, or the host, ended what was going on.
package struct GrabCancellationError: Error, Sendable {
  package init() {}
}
