import HTTP
import Time
import World

/// A date of HTTP that is taken is a moment which, written in the preferred form, is taken again as the same; and whatever
/// a server asks to wait is no time that runs backwards.
enum DateProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let now = Timestamp(milliseconds: 1_800_000_000_000)
    let response = Response(status: 503, headers: [Response.Field("Retry-After", text)])
    if let wait = response.retryAfter(now: now), wait < .zero { return "it is to be tried again before now" }
    let strange = Response(
      status: 503,
      headers: [Response.Field("Retry-After", "Fri, 31 Dec 9999 23:59:59 GMT"), Response.Field("Date", text)])
    if let wait = strange.retryAfter(now: now), wait < .zero { return "the server's own date turns time back" }
    guard let moment = HTTPDate.parse(text, now: now) else { return nil }
    let written = self.text(of: moment)
    return HTTPDate.parse(written, now: now) == moment ? nil : "'\(written)' is another moment"
  }

  /// From the RFC 3339 form, which another part of the program writes. The weekday is for people.
  private static func text(of moment: Timestamp) -> String {
    let fields = moment.rfc3339.split { "-T:Z".contains($0) }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let month = months[(Int(fields[1]) ?? 1) - 1]
    return "Sun, \(fields[2]) \(month) \(fields[0]) \(fields[3]):\(fields[4]):\(fields[5]) GMT"
  }
}
