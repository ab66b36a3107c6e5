import JSON
import Time

/// A moment as JSON has it: RFC 3339, or a number of seconds or milliseconds since 1970.
enum TimeValue {
  /// What members that hold one are called, the commonest first.
  static let keys = ["time", "timestamp", "datetime", "when", "at", "occurred_at", "tst", "ts"]
  /// From here on a number is of milliseconds: as seconds it would be in the year 5138, as milliseconds in 1973.
  private static let firstMilliseconds = 100_000_000_000.0

  static func read(_ value: JSONValue) -> Timestamp? {
    guard var text = value.number?.text ?? value.string else { return nil }
    return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
  }

  /// From a text, or a number's. One without an offset is of UTC, as in GPX, which many of them were once.
  static func read(_ text: UnsafeRawBufferPointer) -> Timestamp? {
    if let moment = Timestamp(parsing: text, assumesUTC: true) { return moment }
    guard let number = DecimalText.double(text), abs(number) < firstMilliseconds * 1000 else { return nil }
    let milliseconds = abs(number) >= firstMilliseconds ? number : number * 1000
    return Timestamp(milliseconds: Int64(milliseconds.rounded()))
  }
}
