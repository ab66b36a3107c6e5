import Support
import Testing

@testable import Session

@Suite struct ShardTests {
  /// The values are from Python: `(int.from_bytes(hashlib.sha256(id.encode()).digest()[:8], "big") * n >> 64) + 1`.
  @Test(arguments: [
    ("u-1", [1, 2, 2, 6, 634, 633_950]), ("u-2", [1, 1, 1, 1, 125, 124_549]),
    ("u-5521", [1, 1, 1, 3, 279, 278_266]), ("Kd7Rn2Qx", [1, 1, 1, 2, 180, 179_839]),
    ("ü-ß", [1, 1, 1, 1, 103, 102_360]), ("", [1, 2, 3, 8, 890, 889_416]),
    (String(repeating: "0", count: 300), [1, 2, 3, 6, 702, 701_249]),
  ])
  func numbersAreThoseOfAnyOtherProgram(_ id: String, _ numbers: [Int]) {
    #expect([1, 2, 3, 8, 1000, 1_000_000].map { Shard.number(of: id, among: $0) } == numbers)
  }

  @Test func partsAreOfSimilarSize() {
    var counts = [0, 0, 0, 0]
    for number in 0..<10_000 { counts[Shard.number(of: "u-\(number)", among: 4) - 1] += 1 }
    #expect(counts == [2553, 2561, 2510, 2376])
  }

  @Test(arguments: ["1/1", "2/3", "3/3", "1000000/1000000", "007/8"])
  func aShardIsANumberOfACount(_ text: String) { #expect(Shard(parsing: text) != nil) }

  @Test(arguments: [
    "", "/", "1", "1/", "/2", "0/2", "3/2", "-1/2", "1/-2", "+1/2", "1/2/3", " 1/2", "1.5/2", "a/b", "1/0", "1/1000001",
    "99999999999999999999/99999999999999999999",
  ])
  func anythingElseIsNone(_ text: String) { #expect(Shard(parsing: text) == nil) }
}
