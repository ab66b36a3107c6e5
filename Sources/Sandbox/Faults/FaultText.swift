import Text

/// The reason a fault specification is invalid, phrased to follow "it".
package struct FaultSyntaxError: Error, Equatable, CustomStringConvertible {
  package let description: String
  init(_ description: String) { self.description = description }
}

extension FaultRule {
  /// Parse `NAME[=VALUE][,KEY=VALUE]…`, such as `status=503,retry-after=2,path=/v2/me,times=3`.
  package init(parsing text: String) throws(FaultSyntaxError) {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(Assignment.init)
    var retryAfter: InjectedFault.RetryAfter?
    fault = try InjectedFault(parts[0])
    for part in parts.dropFirst() {
      switch part.name {
      case "path":
        guard let value = part.value, value.hasPrefix("/") || value.hasPrefix("*") else {
          throw FaultSyntaxError("has a path that does not begin with '/' or '*'")
        }
        path = value
      case "method":
        guard let value = part.value, !value.isEmpty, value.utf8.allSatisfy(\.isUppercase) else {
          throw FaultSyntaxError("has a method that is not in uppercase")
        }
        method = value
      case "times": times = try part.number(in: 1...1_000_000)
      case "share":
        guard let share = part.value.flatMap(Double.init), 0...1 ~= share else {
          throw FaultSyntaxError("has a share that is not between 0 and 1")
        }
        self.share = share
      case "retry-after": retryAfter = .seconds(try part.number(in: 0...1_000_000))
      case "retry-after-date": retryAfter = .date(try part.number(in: 0...1_000_000))
      default:
        throw FaultSyntaxError(
          "has an unknown part; use path, method, times, share, retry-after or retry-after-date")
      }
    }
    guard let retryAfter else { return }
    guard case .status(let status, _) = fault else { throw FaultSyntaxError("has a retry-after without a status") }
    fault = .status(status, retryAfter)
  }

  /// The text form, as parsed by ``init(parsing:)``.
  package var text: String {
    var text = fault.text
    if let path { text += ",path=\(path)" }
    if let method { text += ",method=\(method)" }
    if let times { text += ",times=\(times)" }
    if share != 1 { text += ",share=\(share)" }
    return text
  }
}

extension InjectedFault {
  fileprivate init(_ part: Assignment) throws(FaultSyntaxError) {
    switch part.name {
    case "latency": self = try part.latency()
    case "status": self = .status(try part.number(in: 400...599), nil)
    case "drip": self = .drip(try part.duration(part.value))
    case "huge": self = .huge(try part.size(orElse: 100 << 20))
    case "redirect": self = .redirect(try part.origin())
    default:
      guard let fault = Self.plain.first(where: { $0.text == part.name }) else {
        throw FaultSyntaxError("is not a known fault; use one of: \(Self.names.map(\.name).joined(separator: ", "))")
      }
      guard part.value == nil else { throw FaultSyntaxError("has a value, but this fault does not accept one") }
      self = fault
    }
  }
}

private struct Assignment {
  let name: String
  let value: String?

  init(_ text: Substring) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(halves[0])
    value = halves.count == 2 ? String(halves[1]) : nil
  }

  func number(in range: ClosedRange<Int>) throws(FaultSyntaxError) -> Int {
    guard let number = value.flatMap({ Int($0) }), range.contains(number) else {
      throw FaultSyntaxError("has a \(name) that is not a number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  func latency() throws(FaultSyntaxError) -> InjectedFault {
    let text = value ?? ""
    guard let dots = text.firstIndex(of: "."), text[dots...].hasPrefix("..") else {
      let pause = try duration(text)
      return .latency(pause, pause)
    }
    let (least, most) = (
      try duration(String(text[..<dots])), try duration(String(text[dots...].dropFirst(2)))
    )
    guard least <= most else { throw FaultSyntaxError("has a latency whose second duration is shorter than its first") }
    return .latency(least, most)
  }

  /// A duration in milliseconds, seconds, minutes or hours, at most one day.
  func duration(_ text: String?) throws(FaultSyntaxError) -> Duration {
    let digits = (text ?? "").prefix { ("0"..."9").contains($0) }
    let unit = (text ?? "").dropFirst(digits.count)
    let factors = ["ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000]
    guard let number = Int(digits), number <= 86_400_000, let factor = factors[String(unit)],
      number * factor <= 86_400_000
    else { throw FaultSyntaxError("has a \(name) that is not a duration such as 200ms or 2s, at most one day") }
    return .milliseconds(number * factor)
  }

  /// A size in bytes, or in KiB or MiB with the suffix `k` or `M`; at most 1024 MiB.
  func size(orElse standard: Int) throws(FaultSyntaxError) -> Int {
    guard let value else { return standard }
    let digits = value.prefix { ("0"..."9").contains($0) }
    let factors = ["": 1, "k": 1 << 10, "M": 1 << 20]
    guard let number = Int(digits), number <= 1 << 30, let factor = factors[String(value.dropFirst(digits.count))],
      number * factor <= 1 << 30
    else { throw FaultSyntaxError("has a size that is not a number of bytes such as 5000, 64k or 100M, at most 1024M") }
    return number * factor
  }

  func origin() throws(FaultSyntaxError) -> String {
    let schemes = ["http://", "https://"]
    guard let value, let scheme = schemes.first(where: value.hasPrefix), value.utf8.count > scheme.utf8.count,
      value.utf8.dropFirst(scheme.utf8.count).allSatisfy({ $0 > 0x20 && $0 < 0x7f && $0 != UInt8(ascii: "/") })
    else { throw FaultSyntaxError("has a redirect that is not http://HOST or https://HOST without a path") }
    return value
  }
}
