import JSON
import World

/// A time in JSON: RFC 3339, or a number of seconds or milliseconds since 1970.
enum TimeValue {
  /// The keys for a time, most common first.
  static let keys = ["time", "timestamp", "datetime", "when", "at", "occurred_at", "tst", "ts"]
  /// Numbers of at least this size are milliseconds. As seconds it would be in the year 5138, as milliseconds in
  /// 1973.
  private static let firstMilliseconds = 100_000_000_000.0

  static func read(_ value: JSONValue) -> Timestamp? {
    guard var text = value.number?.text ?? value.string else { return nil }
    return text.withUTF8 { read(UnsafeRawBufferPointer($0)) }
  }

  /// The time for a text or the digits of a number. A time without an offset is in UTC, as in GPX, the source of many
  /// such files.
  static func read(_ text: UnsafeRawBufferPointer) -> Timestamp? {
    if let moment = Timestamp(parsing: text, assumesUTC: true) { return moment }
    guard let number = DecimalText.double(text), abs(number) < firstMilliseconds * 1000 else { return nil }
    let milliseconds = abs(number) >= firstMilliseconds ? number : number * 1000
    return Timestamp(milliseconds: Int64(milliseconds.rounded()))
  }
}
