import Support
import Testing

@testable import Store

@Suite struct ItemWindowTests {
  /// Compared with a dictionary: positions of a resumed run come in any order, and ended items are forgotten.
  @Test(arguments: [1, 2, 3] as [UInt64]) func isADictionary(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    var window = ItemWindow()
    var model: [Int: JournalItem] = [:]
    for step in 0..<5000 {
      let position = 1000 + step / 4 + Int.random(in: -300...300, using: &generator)
      let item = Int.random(in: 0..<3, using: &generator) == 0 ? JournalItem(id: "\(step)") : nil
      (window[position], model[position]) = (item, item)
      let other = 1000 + Int.random(in: 0..<1500, using: &generator)
      #expect(window[position] == item && window[other] == model[other])
    }
    window[1100]?.after = "later"
    model[1100]?.after = "later"
    for position in 600..<3000 { #expect(window[position] == model[position]) }
  }
}
