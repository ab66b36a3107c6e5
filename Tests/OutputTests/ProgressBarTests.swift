import Output
import Testing
import Text

@Suite struct ProgressBarTests {
  let bar = ProgressBar(title: "Fetching", total: 500)

  @Test(
    arguments: [
      (0, 0, 0, 80, "Fetching  [>                             ]  0/500"),
      (120, 0, 4000, 80, "Fetching  [=======>                      ]  120/500  30/s  13s left"),
      (500, 0, 10_000, 80, "Fetching  [==============================]  500/500  50/s"),
      (250, 3, 5000, 60, "Fetching  [======>      ]  250/500  3 failed  50/s  5s left"),
      (120, 0, 4000, 40, "Fetching  120/500  30/s  13s left"), (120, 0, 4000, 22, "Fetching  120/500"),
      (120, 0, 4000, 12, "120/500"), (120, 0, 4000, 4, "120"),
      (5, 0, 20_000, 60, "Fetching  [>                   ]  5/500  15/min  33m0s left"),
      (1, 0, 100_000, 80, "Fetching  [>                             ]  1/500  13h51m left"),
    ])
  func showsProgress(done: Int, failed: Int, milliseconds: Int, width: Int, expected: String) {
    #expect(bar.line(done: done, failed: failed, at: .milliseconds(milliseconds), width: width) == expected)
  }

  @Test(
    arguments: [Int.max, .max - 1, .max / 2, 1 << 62, 1 << 59, 1, 0, .min],
    [Duration.milliseconds(500), .seconds(3), .seconds(Int64.max / 1000)])
  func acceptsNumbersOfAnySize(done: Int, elapsed: Duration) {
    for total in [Int.max, .max - 1, 2] {
      let bar = ProgressBar(title: "Fetching", total: total)
      let line = bar.line(done: done, at: elapsed, width: 300)
      #expect(line.hasPrefix("Fetching  [") && line.contains("\(min(max(done, 0), total))/\(total)"), "\(line)")
      #expect(line.contains("[==============================]") == (done >= total), "\(line)")
    }
  }

  @Test func isDrawnRarelyAndCleared() {
    var bar = bar
    #expect(bar.clear() == "")
    #expect(bar.update(done: 1, at: .milliseconds(10), width: { 20 })?.hasPrefix("\r") == true)
    #expect(bar.update(done: 2, at: .milliseconds(90), width: { 20 }) == nil)
    #expect(bar.update(done: 3, at: .milliseconds(110), width: { 20 })?.hasSuffix("3/500\u{1b}[K") == true)
    #expect(bar.update(done: 500, at: .milliseconds(120), width: { 20 }) != nil)
    #expect(bar.clear() == "\r\u{1b}[K")
    #expect(bar.clear() == "")
  }

  @Test func neverReachesTerminalEdge() {
    for width in 0...120 {
      for total in [0, 1, 99_999] {
        for done in [0, 1, total] {
          let bar = ProgressBar(title: "日本 \u{1b}x", total: total)
          let line = bar.line(done: done, failed: done / 2, at: .seconds(3), width: width)
          #expect(TextWidth.of(line) <= max(width - 1, 0))
        }
      }
    }
  }
}
