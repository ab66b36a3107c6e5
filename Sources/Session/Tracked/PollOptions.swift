package import CommandLine

extension Flag {
  /// The polling interval.
  package static func interval(into path: @autoclosure @escaping OptionKeyPath<Options, Duration>) -> Flag {
    .value(
      "interval", .interval, into: path(), defaultText: "5s",
      help: "Polling interval; longer while requests fail or are rate limited")
  }
}

extension ValueKind<Duration> {
  /// An interval of at least 100 ms, because a loop without a pause would overload the server.
  fileprivate static var interval: ValueKind {
    let duration = ValueKind.duration
    return ValueKind(duration.schema) { (text: String) throws(ValueError) in
      let value = try duration.parse(text)
      guard value >= .milliseconds(100) else { throw ValueError("expected at least 100ms") }
      return value
    }
  }
}
