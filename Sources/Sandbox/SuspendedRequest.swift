package import HTTP

/// A received request that waits for responses of a partner's server, such as the options of a field. Once they are
/// known, it is evaluated again from its beginning.
struct SuspendedRequest {
  let request: Request
  let target: String?
  /// The number of responses that are still missing.
  var missing = 0
  var lookups = PartnerLookups()
}

/// The responses of a partner's server that a received request depends on.
struct PartnerLookups {
  /// By the key of the call.
  var known: [String: PartnerResponse] = [:]
  /// The calls whose responses are not known yet. If there is one, the evaluation of the request is discarded.
  var missing: [PartnerCall] = []
}

/// The result of a request: a response, or the number under which it follows.
package enum EmulatorReply: Sendable {
  case response(Response)
  case waiting(Int)
}
