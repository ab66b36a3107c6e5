import Encoding

/// Hides possible secrets in a command line that is shown or recorded.
///
/// No option of the program takes a secret as its value; the mask protects users who type one anyway.
struct SecretMask {
  /// The replacement for a secret.
  static let text = "***"

  let words: [Word]
  let lookup: OptionLookup
  /// Whether to mask every argument that looks like a secret. A recorded command line must run again, so it keeps
  /// such arguments: an id may look the same.
  var hidesLookalikes = false

  /// The bytes of an argument to hide, if they begin before `end`, the end of the part that is shown.
  func range(in place: Int, before end: Int) -> Range<Int>? {
    let bytes = words[place].bytes
    let isKnown = words[place].hasLongForm && lookup.long(bytes[2...]) != nil
    if place > 0, !isKnown, !bytes.isEmpty, announcesSecret(words[place - 1]) { return 0..<bytes.count }
    if hidesLookalikes, Self.looksSecret(words[place]) { return 0..<bytes.count }
    // A recorded path such as /opt/use/walk.gpx must stay, so only IFTTT's own address is hidden there.
    if WebhookAddress.firstKey(in: bytes, before: end, hosts: hidesLookalikes ? .any : .ifttt) != nil {
      return 0..<bytes.count
    }
    guard let start = Self.valueStart(in: bytes.prefix(end)), start < bytes.count else { return nil }
    return start..<bytes.count
  }

  /// Whether the value of an option with this name may be a secret. A file name is not a secret.
  static func hidesValue(of name: String) -> Bool { soundsSecret(Array(name.utf8)[...]) }

  /// A value without the bytes after a name that indicates a secret.
  static func masked(_ value: [UInt8]) -> [UInt8] {
    guard let start = valueStart(in: value[...]), start < value.count else { return value }
    return value[..<start] + Array(text.utf8)
  }

  /// Whether an argument looks like a token or key. IFTTT's begin with `ift_`; most others are long and contain
  /// letters and digits.
  static func looksSecret(_ word: Word) -> Bool {
    let bytes = word.bytes
    guard !word.hasOptionForm, bytes.count <= 8192 else { return false }
    if bytes.starts(with: "ift_".utf8) { return bytes.count > 8 }
    guard bytes.count >= 20 else { return false }
    // In other text, a dot or slash indicates a file, a host or a URL.
    let others = bytes.starts(with: "eyJ".utf8) ? "-_+=~./" : "-_+=~"
    var (hasLetter, hasDigit) = (false, false)
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): hasLetter = true
      case UInt8(ascii: "0")...UInt8(ascii: "9"): hasDigit = true
      default: if !others.utf8.contains(byte) { return false }
      }
    }
    return hasLetter && hasDigit
  }

  private func announcesSecret(_ word: Word) -> Bool {
    guard word.hasOptionForm, word.bytes.count <= 64, Self.soundsSecret(word.bytes[...]),
      !word.bytes.contains(UInt8(ascii: "="))
    else { return false }
    guard word.hasLongForm, let match = lookup.long(word.bytes[2...]) else { return true }
    return match.schema.value != nil
  }

  /// The position after the first `NAME=` or `NAME:` whose name indicates a secret: in an option, an assignment, a
  /// header or a URL.
  private static func valueStart(in bytes: ArraySlice<UInt8>) -> Int? {
    let offset: Int? = bytes.withUnsafeBufferPointer { buffer in
      var end = 0
      while end < buffer.count {
        if buffer[end] == UInt8(ascii: "=") || buffer[end] == UInt8(ascii: ":") {
          var name = end
          while name > 0, end - name < 64, isName(buffer[name - 1]) { name -= 1 }
          if soundsSecret(Array(buffer[name..<end])[...]) { return end + 1 }
        }
        end += 1
      }
      return nil
    }
    return offset.map { bytes.startIndex + $0 }
  }

  private static func isName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }

  private static func soundsSecret(_ name: ArraySlice<UInt8>) -> Bool {
    let lowered = name.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    if lowered.suffix(5).elementsEqual("-file".utf8) { return false }
    return lowered.indices.contains { start in
      signs.contains { sign in lowered[start...].starts(with: sign.utf8) }
    }
  }

  private static let signs = [
    "token", "key", "secret", "code", "password", "passwd", "passphrase", "authorization", "bearer", "cookie",
    "credential",
    "jwt",
  ]
}
