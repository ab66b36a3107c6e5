import World

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

  /// The faults without a value.
  static let plain: [InjectedFault] = [
    .reset, .resetInBody, .truncate, .badJSON, .html, .gzip, .chunked, .chunkedTrailer, .invalidUTF8, .duplicateKeys,
    .unknownEnum,
    .wrongTypes, .extraKeys, .escapes,
  ]

  /// The text form, as parsed by ``FaultRule/init(parsing:)``.
  package var text: String {
    switch self {
    case .latency(let least, let most): "latency=\(spelled(least))" + (least == most ? "" : "..\(spelled(most))")
    case .status(let status, nil): "status=\(status)"
    case .status(let status, .seconds(let wait)): "status=\(status),retry-after=\(wait)"
    case .status(let status, .date(let wait)): "status=\(status),retry-after-date=\(wait)"
    case .reset: "reset"
    case .resetInBody: "reset-in-body"
    case .truncate: "truncate"
    case .drip(let pause): "drip=\(spelled(pause))"
    case .badJSON: "bad-json"
    case .html: "html"
    case .gzip: "gzip"
    case .chunked: "chunked"
    case .chunkedTrailer: "chunked-trailer"
    case .invalidUTF8: "invalid-utf8"
    case .duplicateKeys: "duplicate-keys"
    case .unknownEnum: "unknown-enum"
    case .wrongTypes: "wrong-types"
    case .extraKeys: "extra-keys"
    case .huge(let size): "huge=\(size)"
    case .redirect(let origin): "redirect=\(origin)"
    case .escapes: "escapes"
    }
  }

  /// Whether the fault only delays the response, so that it can be combined with others.
  var isLatency: Bool { if case .latency = self { true } else { false } }
}

private func spelled(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let milliseconds = Int(seconds) * 1000 + Int(attoseconds / 1_000_000_000_000_000)
  return milliseconds % 1000 == 0 ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
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

  func matches(method: String, path: String) -> Bool {
    (self.method ?? method) == method && self.path.map { PathPattern($0).matches(path) } != false
  }
}

/// A plan that selects the faults for each request, from the request, the rules and a random number generator.
///
/// The same rules, seed and requests always produce the same faults.
package struct FaultPlan: Sendable, Equatable {
  /// The active rules, in the order they were added.
  package private(set) var rules: [FaultRule] = []
  private var random: SplitMix64

  package init(seed: Int = 0) { random = SplitMix64(state: UInt64(bitPattern: Int64(seed))) }

  package init(_ rules: [FaultRule], seed: Int = 0) {
    self.init(seed: seed)
    self.rules = Array(rules.prefix(Self.limit))
  }

  /// The maximum number of rules; further ones are ignored.
  package static let limit = 100

  package mutating func add(_ more: [FaultRule]) { rules = Array((rules + more).prefix(Self.limit)) }

  /// Select the faults for this request. All matching latencies add up. Among the other faults, only the first match
  /// applies, and only that rule is used up.
  package mutating func selectFaults(method: String, path: String) -> AppliedFaults {
    var applied = AppliedFaults()
    guard !rules.isEmpty else { return applied }
    for index in rules.indices {
      let rule = rules[index]
      guard rule.fault.isLatency || applied.fault == nil, rule.times != 0, rule.matches(method: method, path: path),
        rule.share == 1 || random.fraction() < rule.share
      else { continue }
      if let times = rule.times { rules[index].times = times - 1 }
      guard case .latency(let least, let most) = rule.fault else {
        applied.fault = rule.fault
        continue
      }
      applied.delay += least == most ? least : least + (most - least) * random.fraction()
    }
    rules.removeAll { $0.times == 0 }
    return applied
  }
}

/// The faults that apply to one request.
package struct AppliedFaults: Sendable, Equatable {
  package var delay: Duration = .zero
  package var fault: InjectedFault?

  package init() {}

  /// The text for the request log, or nil if no fault applied.
  package var text: String? {
    let names = [delay == .zero ? nil : InjectedFault.latency(delay, delay).text, fault?.text].compactMap { $0 }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }
}

/// A path pattern in which `*` matches any sequence of bytes, including slashes and the empty sequence.
package struct PathPattern: Sendable {
  private let text: String

  package init(_ text: String) { self.text = text }

  /// Whether a path matches. The time is proportional to the product of both lengths.
  package func matches(_ path: some StringProtocol) -> Bool {
    var (pattern, text) = (text.utf8[...], Substring(path).utf8)
    var star: (pattern: Substring.UTF8View, text: Substring.UTF8View)?
    while let byte = text.first {
      if pattern.first == UInt8(ascii: "*") {
        pattern = pattern.dropFirst()
        star = (pattern, text)
      } else if pattern.first == byte {
        pattern = pattern.dropFirst()
        text = text.dropFirst()
      } else if let last = star {
        // Extend the match of the last star by one byte.
        star = (last.pattern, last.text.dropFirst())
        (pattern, text) = (last.pattern, last.text.dropFirst())
      } else {
        return false
      }
    }
    return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
  }
}
