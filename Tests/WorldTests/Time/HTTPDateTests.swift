import Foundation
import HTTP
import Testing
import World

/// The three date formats of RFC 9110 §5.6.7, and text that resembles them.
@Suite struct HTTPDateTests {
  let now = Timestamp(milliseconds: 1_700_000_000_000)  // November 2023

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sunday, 06-Nov-94 08:49:37 GMT", "1994-11-06T08:49:37Z"),
    ("Sun Nov  6 08:49:37 1994", "1994-11-06T08:49:37Z"), ("Wed Nov 16 08:49:37 1994", "1994-11-16T08:49:37Z"),
    ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
    ("Fri, 31 Dec 1999 23:59:60 GMT", "2000-01-01T00:00:00Z"),
    ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
    ("Fri, 01 Mar 1900 00:00:00 GMT", "1900-03-01T00:00:00Z"),
    ("Monday, 01-Jan-73 00:00:00 GMT", "2073-01-01T00:00:00Z"),
    ("Monday, 01-Jan-74 00:00:00 GMT", "1974-01-01T00:00:00Z"),
  ])
  func parsesDates(_ text: String, _ expected: String) {
    #expect(HTTPDate.parse(text, now: now)?.rfc3339 == expected)
  }

  @Test(arguments: [
    "", "6", "tomorrow", "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 6 Nov 1994 08:49:37 GMT",
    "Sun, 06 nov 1994 08:49:37 GMT",
    "Sun, 06 Nov 94 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 08:60:37 GMT",
    "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT",
    "Sun 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z", "Sunday, 06-Nov-1994 08:49:37 GMT",
    "Sun Nov 06 08:49:37 94", "Sun, 06 Nov 1994 08:49:-7 GMT", "Sun, 06 Nov 0000 08:49:37 GMT",
  ])
  func rejectsOtherText(_ text: String) {
    #expect(HTTPDate.parse(text, now: now) == nil)
  }

  @Test func agreesWithFoundation() throws {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(identifier: "GMT")
    formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    // A step that is coprime to a day and a year reaches every month, weekday and hour.
    for seconds in stride(from: -2_208_900_000, through: 7_258_118_400, by: 9_999_991) {
      let text = formatter.string(from: Date(timeIntervalSince1970: TimeInterval(seconds)))
      #expect(HTTPDate.parse(text, now: now)?.milliseconds == Int64(seconds) * 1000, "\(text)")
    }
  }
}
