import HTTP
import World

/// An HTTP date that is accepted round-trips through the preferred format, and no `Retry-After` value leads to a
/// negative wait.
enum DateProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    let response = Response(status: 503, headers: [HeaderField("Retry-After", text)])
    if let wait = response.retryAfter(now: now), wait < .zero { return "the retry is in the past" }
    let strange = Response(
      status: 503,
      headers: [HeaderField("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), HeaderField("Date", text)])
    if let wait = strange.retryAfter(now: now), wait < .zero { return "the server's date leads to a negative wait" }
    guard let moment = HTTPDate.parse(text, now: now) else { return nil }
    let written = self.text(of: moment)
    return HTTPDate.parse(written, now: now) == moment ? nil : "'\(written)' is a different time"
  }

  /// The date built from the RFC 3339 format, which another part of the program writes. The weekday is only for human
  /// readers.
  private static func text(of moment: Timestamp) -> String {
    let fields = moment.rfc3339.split { "-T:Z".contains($0) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = months[(Int(fields[1]) ?? 1) - 1]
    return "Sun, \(fields[2]) \(month) \(fields[0]) \(fields[3]):\(fields[4]):\(fields[5]) GMT"
  }
}
