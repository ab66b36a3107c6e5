/// A fault in the communication between a client and IFTTT.
package enum InjectedFault: Sendable, Equatable {
  /// A delay before the response, random between the two durations.
  case latency(Duration, Duration)
  /// An error status with IFTTT's error object as the body, or, for 502 to 504, a gateway's HTML page.
  case status(Int, RetryAfter?)
  /// A TCP reset instead of a response.
  case reset
  /// A TCP reset in the middle of the body.
  case resetInBody
  /// The connection is closed in the middle of the body.
  case truncate
  /// The body is sent one byte at a time, with this pause between bytes.
  case drip(Duration)
  case badJSON
  /// An HTML page with status 200 instead of the API's response.
  case html
  case gzip
  case chunked
  /// A chunked body with a trailer field after the last chunk, which crashes some HTTP libraries.
  case chunkedTrailer
  case invalidUTF8
  case duplicateKeys
  case unknownEnum
  case wrongTypes
  case extraKeys
  /// A body of this many bytes, padded with spaces at the end.
  case huge(Int)
  /// A redirect to the same path and query at this origin.
  case redirect(String)
  /// Names with control sequences that move a terminal's cursor, set its title and reverse the text direction.
  case escapes

  /// The two forms of `Retry-After` (RFC 9110, section 10.2.3), in seconds from now.
  package enum RetryAfter: Sendable, Equatable {
    case seconds(Int)
    case date(Int)
  }

  /// The names of all faults with summaries, for help pages and completion.
  package static let names: [(name: String, summary: String)] = [
    ("latency=DURATION", "respond later; DURATION..DURATION for a random delay"),
    ("status=CODE", "an error status; with retry-after=SECONDS or retry-after-date=SECONDS"),
    ("reset", "reset the connection instead of responding"),
    ("reset-in-body", "reset the connection in the middle of the body"),
    ("truncate", "close the connection in the middle of the body"),
    ("drip=DURATION", "send the body byte by byte, with this pause"),
    ("bad-json", "truncate the JSON"),
    ("html", "respond with an HTML page and status 200"),
    ("gzip", "compress the body"),
    ("chunked", "send the body in chunks"),
    ("chunked-trailer", "send the body in chunks, with a trailer field after the last one"),
    ("invalid-utf8", "put invalid UTF-8 into names"),
    ("duplicate-keys", "repeat each key"),
    ("unknown-enum", "use unknown statuses and field types"),
    ("wrong-types", "send numbers as strings and names as numbers"),
    ("extra-keys", "add unknown keys"),
    ("huge=SIZE", "pad the body to this size; default: 100M"),
    ("redirect=ORIGIN", "redirect to another scheme://host:port"),
    ("escapes", "put terminal escapes into names"),
  ]

  /// Whether the fault only delays the response, so that it can be combined with others.
  var isLatency: Bool { if case .latency = self { true } else { false } }
}

/// A fault, and the requests it applies to.
package struct FaultRule: Sendable, Equatable {
  package var fault: InjectedFault
  /// A path pattern in which `*` matches anything; nil for all paths.
  package var path: String?
  package var method: String?
  /// The remaining number of requests it applies to; nil for no limit.
  package var times: Int?
  /// The fraction of matching requests it applies to, from 0 to 1.
  package var share = 1.0

  package init(_ fault: InjectedFault, path: String? = nil, method: String? = nil, times: Int? = nil, share: Double = 1)
  {
    (self.fault, self.path, self.method, self.times, self.share) = (fault, path, method, times, share)
  }

  func concerns(method: String, path: String) -> Bool {
    (self.method ?? method) == method && self.path.map { PathPattern($0).matches(path) } != false
  }
}
