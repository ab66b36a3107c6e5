/// The amount of data that a plugin has sent for one request. More than the limits is a flood.
struct RequestQuota {
  static let itemLimit = 1_000_000
  /// The limit on items held in memory until the response, in bytes.
  static let heldLimit = 64 << 20
  /// The limit on messages that are neither items nor responses.
  static let otherLimit = 100_000

  /// Whether items are held in memory.
  var isHolding = false
  private var items = 0
  private var held = 0
  private var others = 0

  init(isHolding: Bool = false) { self.isHolding = isHolding }

  /// - Returns: the limit that was exceeded; nil if none was.
  mutating func count(_ method: String, size: Int) -> String? {
    guard method == "item" else {
      others += 1
      return others > Self.otherLimit ? "more than \(Self.otherLimit) messages for one request" : nil
    }
    items += 1
    held += isHolding ? size : 0
    if items > Self.itemLimit { return "more than \(Self.itemLimit) items for one request" }
    return held > Self.heldLimit ? "more than \(Self.heldLimit >> 20) MiB of items" : nil
  }
}
