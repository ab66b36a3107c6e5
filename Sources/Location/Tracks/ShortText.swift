/// The text of an element that holds a number or a time, in a buffer that is reused for every point. For longer text
/// it records only the fact.
struct ShortText: ~Copyable {
  private let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 8)
  private var count = 0
  private var isTooLong = false

  deinit { bytes.deallocate() }

  mutating func clear() { (count, isTooLong) = (0, false) }

  /// Append text. Leading white space is skipped, so that a number surrounded by a lot of it still fits.
  mutating func append(_ more: UnsafeRawBufferPointer) {
    let start = count > 0 ? 0 : more.firstIndex { $0 > 0x20 } ?? more.count
    let text = more.dropFirst(start)
    let kept = text.prefix(bytes.count - count)
    bytes[count...].copyBytes(from: kept)
    count += kept.count
    if text.dropFirst(kept.count).contains(where: { $0 > 0x20 }) { isTooLong = true }
  }

  /// The text without trailing white space, or nil if it was too long.
  var text: UnsafeRawBufferPointer? {
    guard !isTooLong else { return nil }
    var end = count
    while end > 0, bytes[end - 1] <= 0x20 { end -= 1 }
    return UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }
}
