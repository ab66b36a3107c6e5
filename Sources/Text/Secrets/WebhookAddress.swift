/// Finds the key of the Webhooks service in its addresses: `https://maker.ifttt.com/use/KEY`, the page that shows the
/// key, and `…/trigger/EVENT/with/key/KEY`, which fires an event (reference: service-api.md, section 11).
///
/// The key is a segment of the path, so each of these addresses is a credential.
package enum WebhookAddress {
  /// The hosts on which `/use/KEY` counts as the page with the key.
  package enum Hosts: Sendable {
    /// IFTTT's own host only, because other sites have such paths too.
    case ifttt
    /// Any host, and none.
    case any
  }

  /// The key of an address whose segment before the key begins at `place`, at its slash.
  package static func key(in bytes: [UInt8], at place: Int, hosts: Hosts = .ifttt) -> Range<Int>? {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "/") else { return nil }
    let start: Int
    if isHere(trigger, in: bytes, at: place) {
      start = place + trigger.count
    } else if isHere(page, in: bytes, at: place),
      hosts == .any || isHere(host, in: bytes, at: place - host.count)
    {
      start = place + page.count
    } else {
      return nil
    }
    let end = bytes[start...].firstIndex { !isKey($0) } ?? bytes.count
    return end > start ? start..<end : nil
  }

  /// The key of the first address in the text.
  /// - Parameter end: the end of the part that is searched.
  package static func firstKey(in bytes: [UInt8], before end: Int = .max, hosts: Hosts = .any) -> Range<Int>? {
    for place in 0..<min(max(0, end), bytes.count) where bytes[place] == UInt8(ascii: "/") {
      if let key = key(in: bytes, at: place, hosts: hosts) { return key }
    }
    return nil
  }

  private static let trigger = Array("/with/key/".utf8)
  private static let page = Array("/use/".utf8)
  private static let host = Array("maker.ifttt.com".utf8)

  /// - Parameter text: in lower case.
  private static func isHere(_ text: [UInt8], in bytes: [UInt8], at place: Int) -> Bool {
    guard place >= 0, bytes.count - place >= text.count else { return false }
    for offset in text.indices {
      let byte = bytes[place + offset]
      let folded = UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
      guard folded == text[offset] else { return false }
    }
    return true
  }

  private static func isKey(_ byte: UInt8) -> Bool { byte.isUnreserved || byte == UInt8(ascii: "%") }
}
