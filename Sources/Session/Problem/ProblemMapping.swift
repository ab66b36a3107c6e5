package import HTTP
package import IFTTT
package import Store
package import Text
package import World

// Converts the errors of lower modules to problems. A higher module converts its own.

extension APIError: ProblemConvertible {
  package var problem: Problem { Problem(self, subject: nil) }
}

extension HTTPError: ProblemConvertible {
  package var problem: Problem { Problem(self) }
}

extension StoreError: ProblemConvertible {
  package var problem: Problem { Problem(self) }
}

extension InputError: ProblemConvertible {
  package var problem: Problem { Problem(self) }
}

extension SystemError: ProblemConvertible {
  package var problem: Problem { Problem(.refused, "a system call failed", reason: description) }
}

extension Problem {
  fileprivate init(_ error: StoreError) {
    guard error != .interrupted else {
      self = .interrupted
      return
    }
    let code = Code(rawValue: error.code.rawValue) ?? .storeFailed
    // The hint repeats the path, which may be as long as an argument can be.
    self.init(code, error.message, hint: error.hint.shortened(to: 1000))
  }

  fileprivate init(_ error: InputError) {
    switch error {
    case .interrupted: self = .interrupted
    case .tooLong(let limit):
      self.init(
        .refused, "stdin is longer than \(limit) bytes",
        hint: "Check the program that writes to it.")
    case .notUTF8:
      self.init(
        .refused, "stdin is not UTF-8 text",
        hint: "Check the program that writes to it.")
    case .system(let failure): self.init(.refused, "stdin cannot be read", reason: failure.description)
    }
  }

  fileprivate init(_ failure: HTTPError) {
    switch failure {
    case .interrupted: self = .interrupted
    case .redirect(let reason):
      self.init(
        .badResponse, "the redirect was not followed", reason: reason,
        hint: "Check the base URL; a credential is never sent to another host.")
    case .transport(let failure, let tries, let origin):
      let code: Code =
        switch failure.kind {
        case .timeout: .timeout
        case .tls: .tls
        case .notRecorded: .notRecorded
        case .tooLarge: .badResponse
        case .unsupported, .noMemory: .refused
        case .missingLibrary: .missingLibrary
        case .damagedState: .storeDamaged
        case .inaccessibleState: .storeFailed
        case .resolve, .connect, .broken, .proxy, .offline: .network
        }
      let tried = tries > 1 ? " after \(tries) attempts" : ""
      let message =
        switch failure.kind {
        case .damagedState, .inaccessibleState: "the sandbox's state cannot be used"
        case let kind where kind.isLocal: "the request to \(origin) cannot be sent"
        default: "no response from \(origin)\(tried)"
        }
      self.init(code, message, reason: failure.message, hint: Problem.hint(for: failure.kind, at: origin))
      // Without a network connection, no request was sent.
      if failure.kind != .offline, failure.kind != .notRecorded, !failure.kind.isLocal { attempts = tries }
    case .skipped(let reason): self.init(reason)
    }
  }

  /// Uses the code of the failure that stopped the batch, so a batch that failed for one reason has a single code.
  private init(_ reason: SkipReason) {
    switch reason {
    case .unreachable(let failure, let origin):
      self.init(.transport(failure, tries: 1, origin: origin))
      message = "skipped: no connection to \(origin)"
    case .unauthorized(let origin):
      self.init(
        .unauthorized, "skipped: the credentials were rejected", reason: "\(origin) responded with 401 earlier",
        hint: Problem.credentialsHint)
    }
    (attempts, isSkip) = (nil, true)
  }

  /// - Parameter origin: The server. If it is on this machine, neither the network nor its certificate is the usual
  ///   cause.
  private static func hint(for kind: TransportError.Kind, at origin: String) -> Hint {
    guard let url = try? WebURL(parsing: origin), url.isLoopback else { return hint(for: kind) }
    switch kind {
    case .connect:
      return "Nothing listens on this port. Start the server, or correct the URL; \(ifttt: "profile list") prints the "
        + "servers of the profiles."
    case .tls: return "If the server does not use TLS, write http:// in its URL."
    default: return hint(for: kind)
    }
  }

  static let credentialsHint: Hint =
    "Get a new user token with \(ifttt: "token exchange"), or check the service key."

  package static func hint(for kind: TransportError.Kind) -> Hint {
    switch kind {
    case .offline: "Omit --offline to use the network."
    case .notRecorded: "Omit --replay to use the network."
    case .resolve: "Check the network and the host's name; HTTPS_PROXY is honored."
    case .connect: "Check the network, the base URL and HTTPS_PROXY."
    case .proxy: "Check HTTPS_PROXY and NO_PROXY."
    case .tls: "Check the clock and the certificates; SSL_CERT_FILE and SSL_CERT_DIR are honored."
    case .timeout: "Try again, or allow more time with --timeout."
    case .tooLarge: "IFTTT does not send responses this large; check the base URL."
    case .unsupported: "Check the URL and the headers; -v shows the request."
    case .noMemory: "Close other programs, or raise this program's memory limit."
    case .missingLibrary: Hint(CurlLibrary.advice)
    case .broken: "Try again; -v shows each request."
    case .damagedState: "To reset it to the initial fixtures, run: \(ifttt: "--profile sandbox sandbox reset")"
    case .inaccessibleState: "Check the file's folder, its permissions and the free space."
    }
  }

  /// - Parameter subject: the subject of the request, as in "no SUBJECT": `connection 'a1B2c3D4'`.
  package init(_ failure: APIError, subject: String?) {
    switch failure {
    case .http(let failure): self.init(failure)
    case .unreadable(let status, let problem, let beginning, let delivery):
      let shown = beginning.isEmpty ? "" : "; it begins: \(beginning)"
      self.init(
        .badResponse, "the response cannot be read", reason: problem + shown,
        hint: "The response may not be from IFTTT; check the base URL and any proxy. -v shows the request.",
        status: status)
      (attempts, requestID) = (delivery.attempts, delivery.requestID)
    case .response(let error): self.init(error, subject: subject)
    case .needs(let level):
      self.init(
        .credentialsMissing, "this request needs authentication as \(level.rawValue)",
        hint:
          "Pass a user token with --user-token-file or IFTTT_USER_TOKEN, or a service key with --service-key-file or "
          + "IFTTT_SERVICE_KEY.")
    }
  }

  private init(_ error: APIErrorResponse, subject: String?) {
    let received = [error.code, error.message].compactMap { $0 }.joined(separator: ": ")
    // Without a code, the message is a sentence of its own.
    let lead = error.code == nil ? ": " : " "
    let shown = !received.isEmpty ? lead + received : error.beginning.isEmpty ? "" : "; it begins: \(error.beginning)"
    let reason = "IFTTT responded with \(error.status)" + shown
    // A server may send any number of details; 50 are enough for a reader.
    let details = error.details.prefix(50).map { Detail(parameter: $0.parameter, message: $0.message) }
    func problem(_ message: String, _ hint: Hint, code: Code? = nil) -> Problem {
      var problem = Problem(
        code ?? Code(error.kind), message, reason: reason, hint: hint, status: error.status, details: details)
      (problem.attempts, problem.requestID) = (error.delivery.attempts, error.delivery.requestID)
      problem.retryAfter = error.retryAfter
      return problem
    }
    switch error.kind {
    case .unauthorized:
      guard let credential = error.credential else {
        self = problem("IFTTT requires a credential for this request", Problem.credentialsHint)
        return
      }
      self = problem("IFTTT rejected \(credential)", credential.rejectionHint)
    case .forbidden:
      self = problem(
        "\(error.credential?.description ?? "anonymous access") does not allow this",
        "Check who owns the token or key: \(ifttt: "token verify").")
    case .notFound:
      self = problem(
        subject.map { "no \($0), or these credentials cannot access it" } ?? "not found",
        "Check the id; an unpublished service needs --invite-code.")
    case .conflict:
      self = problem(
        "the request conflicts with the current state", "Check the current state and run the command again.")
    case .rateLimited:
      let wait = error.retryAfter.map { " in \($0) s" } ?? " later"
      self = problem("too many requests", "Try again\(wait), or with fewer --jobs.")
    case .serverError:
      // IFTTT's own 502 means that the service did not process the request, for example because it rejects the values.
      // Another 502 is the page of a gateway.
      if error.status == 502, error.code != nil {
        self = problem(
          "the service behind IFTTT did not process the request",
          "Check the values that were sent, and the log of the service; -v shows the request.", code: .refused)
      } else {
        let cause = error.status == 502 ? "a service behind IFTTT failed" : "IFTTT failed"
        self = problem(cause, "Try again later; -v shows each request.")
      }
    case .timeout:
      self = problem("IFTTT timed out waiting for the request", "Try again; -v shows each request.")
    case .invalidParameters:
      self = problem(
        "IFTTT rejected the parameters",
        details.isEmpty ? "-v shows the request." : "The details name the invalid parameters.")
    case .badRequest, .other:
      self = problem("IFTTT rejected the request", "-v shows the request.")
    }
  }
}

extension SentCredential {
  /// What to do if a server rejects it. A user token from an option or a variable hides the one that `token exchange`
  /// stores.
  var rejectionHint: Hint {
    guard name == .userToken, let origin, origin == name.option || origin == name.variable.name else {
      return name.rejectionHint
    }
    let command = origin == name.option ? "Omit" : "Unset"
    return "\(command) \(origin) to use the profile's user token, which \(ifttt: "token exchange") gets."
  }
}

extension CredentialName {
  /// What to do if a server rejects it.
  package var rejectionHint: Hint {
    switch self {
    case .serviceKey:
      "Compare it with the key on your service's page https://platform.ifttt.com/services/SLUG/api. A service key "
        + "belongs to a service, not to a user."
    case .userToken: "Get a new user token with \(ifttt: "token exchange")."
    case .accessToken: "Get a new access token from your OAuth server."
    case .webhooksKey: "Copy the key from https://ifttt.com/maker_webhooks/settings. It is not the service key."
    case .oauthCode, .clientSecret: "Check it at your OAuth server."
    }
  }
}

extension Problem.Code {
  /// The code of a rejected request.
  package init(_ status: ErrorStatus) {
    self =
      switch status {
      case .unauthorized: .unauthorized
      case .forbidden: .forbidden
      case .notFound: .notFound
      case .conflict: .conflict
      case .invalidParameters: .invalidParameters
      case .rateLimited: .rateLimited
      case .serverError: .serverError
      case .timeout: .timeout
      case .badRequest, .other: .refused
      }
  }
}
