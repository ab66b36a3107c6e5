/// How much a plugin has sent for one request: more than anybody can want is a flood.
struct RequestQuota {
  static let itemLimit = 1_000_000
  /// Of items that are kept in memory until the answer, in bytes.
  static let heldLimit = 64 << 20
  /// Of messages that are neither items nor answers.
  static let otherLimit = 100_000

  /// Whether items are kept in memory.
  var isHolding = false
  private var items = 0
  private var held = 0
  private var others = 0

  init(isHolding: Bool = false) { self.isHolding = isHolding }

  /// - Returns: what there is too much of, nil where all is well.
  mutating func count(_ method: String, size: Int) -> String? {
    guard method == "item" else {
      others += 1
      return others > Self.otherLimit ? "more than \(Self.otherLimit) messages of one request" : nil
    }
    items += 1
    held += isHolding ? size : 0
    if items > Self.itemLimit { return "more than \(Self.itemLimit) items of one request" }
    return held > Self.heldLimit ? "more than \(Self.heldLimit >> 20) MiB of items" : nil
  }
}
