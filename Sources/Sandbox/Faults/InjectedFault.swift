/// Something that goes wrong between a client and IFTTT.
package enum InjectedFault: Sendable, Equatable {
  /// A delay before the answer, anywhere between the two.
  case latency(Duration, Duration)
  /// An error status, with IFTTT's form of an error as body, or for 502 to 504 a gateway's page.
  case status(Int, RetryAfter?)
  /// A TCP reset instead of an answer.
  case reset
  /// A TCP reset in the middle of the body.
  case resetInBody
  /// The connection is closed in the middle of the body.
  case truncate
  /// One byte of the body at a time, with this pause between two.
  case drip(Duration)
  case badJSON
  /// A page in place of the API's answer, with the status 200.
  case html
  case gzip
  case chunked
  /// With a trailer field behind the last chunk, which some HTTP libraries do not survive.
  case chunkedTrailer
  case invalidUTF8
  case duplicateKeys
  case unknownEnum
  case wrongTypes
  case extraKeys
  /// A body of this many bytes, all spaces behind its end.
  case huge(Int)
  /// To the same path and query at this origin.
  case redirect(String)
  /// Names that would move a terminal's cursor, set its title and turn text around.
  case escapes

  /// The two forms of `Retry-After` (RFC 9110, section 10.2.3), in seconds from now.
  package enum RetryAfter: Sendable, Equatable {
    case seconds(Int)
    case date(Int)
  }

  /// Every name, for help pages and completion, and what it does.
  package static let names: [(name: String, summary: String)] = [
    ("latency=DURATION", "answer later; DURATION..DURATION varies"),
    ("status=CODE", "an error status; with retry-after=SECONDS or retry-after-date=SECONDS"),
    ("reset", "reset the connection instead of answering"),
    ("reset-in-body", "reset it in the middle of the body"),
    ("truncate", "close it in the middle of the body"),
    ("drip=DURATION", "send the body byte by byte, with this pause"),
    ("bad-json", "cut the JSON off"),
    ("html", "answer with a page and the status 200"),
    ("gzip", "compress the body"),
    ("chunked", "send the body in chunks"),
    ("chunked-trailer", "send the body in chunks, with a trailer field after the last"),
    ("invalid-utf8", "put bytes into names that are not UTF-8"),
    ("duplicate-keys", "give each key twice"),
    ("unknown-enum", "use statuses and field types that nobody knows"),
    ("wrong-types", "send numbers as strings and names as numbers"),
    ("extra-keys", "add keys that nobody knows"),
    ("huge=SIZE", "make the body this long, 100M without a SIZE"),
    ("redirect=ORIGIN", "redirect to another scheme://host:port"),
    ("escapes", "put terminal escapes into names"),
  ]

  /// Whether it only puts the answer off, and others may strike beside it.
  var isLatency: Bool { if case .latency = self { true } else { false } }
}

/// A fault, and which requests it strikes.
package struct FaultRule: Sendable, Equatable {
  package var fault: InjectedFault
  /// A path in which `*` stands for anything; nil for all.
  package var path: String?
  package var method: String?
  /// How many requests it still strikes; nil for no end.
  package var times: Int?
  /// The part of the matching requests that it strikes, from 0 to 1.
  package var share = 1.0

  package init(_ fault: InjectedFault, path: String? = nil, method: String? = nil, times: Int? = nil, share: Double = 1)
  {
    (self.fault, self.path, self.method, self.times, self.share) = (fault, path, method, times, share)
  }

  func concerns(method: String, path: String) -> Bool {
    (self.method ?? method) == method && self.path.map { PathPattern($0).matches(path) } != false
  }
}
