import Testing
import World

@Suite struct CivilDateTests {
  @Test func dayMatchesItsFormattedTimestamp() throws {
    var days = 0
    for year in stride(from: 0, through: 9999, by: 7) {
      for month in 1...12 {
        for day in 1...31 {
          guard let date = CivilDate(year: year, month: month, day: day) else { continue }
          days += 1
          let text = date.timestamp(second: 86_399, millisecond: 999).rfc3339
          let words = text.dropLast("T23:59:59Z".count).split(separator: "-").compactMap { Int($0) }
          #expect(words == [year, month, day])
        }
      }
    }
    #expect(days > 365 * 1428)
  }

  @Test(arguments: [
    (2023, 2, 29), (1900, 2, 29), (2024, 2, 30), (2024, 4, 31), (2024, 1, 0), (2024, 0, 1), (2024, 13, 1),
    (10_000, 1, 1), (-1, 1, 1), (Int.max, 1, 1), (2024, Int.min, Int.max),
  ])
  func rejectsDaysOutsideTheCalendar(year: Int, month: Int, day: Int) {
    #expect(CivilDate(year: year, month: month, day: day) == nil)
  }
}
