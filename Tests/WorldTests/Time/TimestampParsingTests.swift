import Testing
import World

struct TimestampParsingTests {
  @Test(arguments: [
    ("2017-09-12T08:15:00+01:00", "2017-09-12T07:15:00Z"),
    ("2017-02-16T11:10:43-08:00", "2017-02-16T19:10:43Z"),
    ("2018-02-03T18:02:11+00:00", "2018-02-03T18:02:11Z"),
    ("2018-02-03T18:02:11+0000", "2018-02-03T18:02:11Z"),
    ("2026-01-31t12:00:00z", "2026-01-31T12:00:00Z"),
    ("2026-01-31 12:00:00Z", "2026-01-31T12:00:00Z"),
    ("2023-12-31T23:30:00-01:00", "2024-01-01T00:30:00Z"),
    ("2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z"),
    ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"),
    ("1900-03-01T00:00:00+00:01", "1900-02-28T23:59:00Z"),
    ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59Z"),
    ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
    ("9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"),
    ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z"),
  ])
  func convertsToUTC(text: String, expected: String) {
    #expect(Timestamp(parsing: text)?.rfc3339 == expected)
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.5Z", 500), ("1970-01-01T00:00:00.123456Z", 123), ("1970-01-01T00:00:01Z", 1000),
  ])
  func keepsMilliseconds(text: String, expected: Int64) {
    #expect(Timestamp(parsing: text)?.milliseconds == expected)
  }

  /// Compares every day of 400 years with the independently written formatter.
  @Test func agreesWithTheFormatterOnEveryDay() {
    for day in stride(from: Int64(-135_140), to: 10_957, by: 1) {
      let moment = Timestamp(milliseconds: day * 86_400_000)
      guard Timestamp(parsing: moment.rfc3339) == moment else {
        Issue.record("\(moment.rfc3339)")
        return
      }
    }
  }

  @Test(arguments: [
    "", "2017", "2017-09-12", "2017-09-12T08:15:00", "2017-09-12T08:15Z", "2017-9-12T08:15:00Z", "2017-13-01T00:00:00Z",
    "2017-00-01T00:00:00Z", "2017-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2017-04-31T00:00:00Z",
    "2017-04-30T24:00:00Z", "2017-04-30T23:60:00Z", "2017-04-30T23:59:61Z", "2017-04-30T23:59:59.Z",
    "2017-04-30T23:59:59+24:00", "2017-04-30T23:59:59+1", "2017-04-30T23:59:59Zx", " 2017-04-30T23:59:59Z",
    "٢٠١٧-04-30T23:59:59Z", "0000-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01", "last Tuesday",
  ])
  func rejectsOtherText(text: String) {
    #expect(Timestamp(parsing: text) == nil)
  }

  @Test(arguments: [
    ("2017-02-16T11:10:43", "2017-02-16T11:10:43Z"), ("2017-02-16T11:10:43.5", "2017-02-16T11:10:43Z"),
    ("2017-02-16T11:10:43-08:00", "2017-02-16T19:10:43Z"),
  ])
  func acceptsAMissingOffsetOnRequest(text: String, expected: String) {
    let moment = Array(text.utf8).withUnsafeBytes { Timestamp(parsing: $0, assumesUTC: true) }
    #expect(moment?.rfc3339 == expected)
  }

  @Test(arguments: ["2017-02-16T11:10", "2017-02-16", "2017-02-16T11:10:43 ", "2017-02-16T11:10:43+"])
  func onlyTheOffsetMayBeMissing(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { Timestamp(parsing: $0, assumesUTC: true) } == nil)
  }
}
