package import HTTP
package import World

/// A response with an injected fault: its contents and how to send it.
package struct FaultyResponse: Sendable, Equatable {
  package enum Manner: Sendable, Equatable {
    case plain
    case reset
    case resetInBody
    case truncated
    case dripping(Duration)
    case chunked(hasTrailer: Bool)
    /// The body is padded with spaces to this many bytes.
    case padded(to: Int)
  }

  package var response: Response
  package var delay: Duration = .zero
  package var manner = Manner.plain
}

extension AppliedFaults {
  /// - Parameters:
  ///   - target: The request's path and query, as sent.
  ///   - answer: The regular response. It is only computed if the request gets that far.
  package func answer(
    to target: String, at now: Timestamp, _ answer: () -> Response
  ) -> FaultyResponse {
    guard let fault else { return FaultyResponse(response: answer(), delay: delay) }
    var faulty = FaultyResponse(response: Response(status: 200), delay: delay)
    switch fault {
    case .latency: faulty.response = answer()
    case .status(let status, let wait): faulty.response = .failure(status, wait, at: now)
    case .reset: faulty.manner = .reset
    case .redirect(let origin):
      faulty.response = Response(status: 302, headers: [.date(now), .init("Location", origin + target)])
    case .html: faulty.response = .page("<h1>Please sign in to the network</h1>", status: 200, at: now)
    case .resetInBody: (faulty.response, faulty.manner) = (answer(), .resetInBody)
    case .truncate: (faulty.response, faulty.manner) = (answer(), .truncated)
    case .drip(let pause): (faulty.response, faulty.manner) = (answer(), .dripping(pause))
    case .chunked: (faulty.response, faulty.manner) = (answer(), .chunked(hasTrailer: false))
    case .chunkedTrailer: (faulty.response, faulty.manner) = (answer(), .chunked(hasTrailer: true))
    case .huge(let size): (faulty.response, faulty.manner) = (answer(), .padded(to: size))
    case .gzip:
      faulty.response = answer()
      faulty.response.body = StoredGzip.stored(faulty.response.body)
      faulty.response.headers.append(.init("Content-Encoding", "gzip"))
    case .badJSON, .invalidUTF8, .duplicateKeys, .unknownEnum, .wrongTypes, .extraKeys, .escapes:
      faulty.response = answer()
      faulty.response.body = BodyCorruption.done(to: faulty.response.body, by: fault)
    }
    return faulty
  }
}

extension Response.Field {
  fileprivate static func date(_ moment: Timestamp) -> Response.Field { Response.Field("Date", httpDate(moment)) }
}

private func httpDate(_ moment: Timestamp) -> String {
  CivilTime(secondsSince1970: floored(moment.milliseconds, 1000).quotient).httpDate
}

extension Response {
  /// An error response in IFTTT's format, or, for 502 to 504, the HTML page of a gateway.
  fileprivate static func failure(_ status: Int, _ wait: InjectedFault.RetryAfter?, at now: Timestamp) -> Response {
    var response = Response(status: status)
    if (502...504).contains(status) {
      response = page("<h1>\(status)</h1>", status: status, at: now)
    } else {
      let code = status == 429 ? "emulator_rate_limited" : "emulator_fault"
      let refusal = ErrorResponse(
        status: status, code: code, message: "The sandbox injected this fault", assumption: nil)
      response.body = refusal.answer(in: .v2).body
      response.headers = [.date(now), .init("Content-Type", "application/json; charset=utf-8")]
    }
    switch wait {
    case nil: break
    case .seconds(let seconds): response.headers.append(.init("Retry-After", String(seconds)))
    case .date(let seconds):
      // An HTTP date has no fractional seconds. Round up, so that the date is never too early.
      let moment = Timestamp(milliseconds: now.milliseconds + Int64(seconds) * 1000 + 999)
      response.headers.append(.init("Retry-After", httpDate(moment)))
    }
    return response
  }

  fileprivate static func page(_ body: String, status: Int, at now: Timestamp) -> Response {
    Response(
      status: status, headers: [.date(now), .init("Content-Type", "text/html; charset=utf-8")],
      body: Array("<!doctype html><title>Gateway</title>\(body)\n".utf8))
  }
}
