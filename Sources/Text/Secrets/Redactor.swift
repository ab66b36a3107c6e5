/// Masks known credentials in text from other sources: an error, a trace, a response.
package struct Redactor: Sendable {
  /// The texts to find, with their replacements.
  private var replacements: [[UInt8]: [UInt8]] = [:]
  /// The same texts by their beginning. There may be thousands, as one run can use the tokens of many users.
  private var groups: [Beginning: Group] = [:]
  /// The sizes of the beginnings in `groups`, in descending order.
  private var sizes: [Int] = []
  /// For each byte, whether a text starts with it. One lookup rules out most positions.
  private var isFirst: [Bool] = []
  private var maximumLength = 0
  package let form: Form

  /// The text that replaces a secret: ``Secret/masked`` for people, or ``Secret/standIn`` if the text must stay valid.
  package enum Form: Sendable { case masked, standIn }

  /// Up to four bytes at the beginning of a text.
  private struct Beginning: Hashable {
    static let size = 4
    private var bytes: UInt32 = 0
    private let count: Int

    init(of bytes: UnsafeBufferPointer<UInt8>, at position: Int, count: Int) {
      self.count = count
      for byte in bytes[position..<position + count] { self.bytes = self.bytes << 8 | UInt32(byte) }
    }
  }

  private struct Group {
    /// Comparing this many texts is faster than looking up a part of the input, whatever their length.
    private static let smallCount = 8

    var texts: [[UInt8]] = []
    /// The different lengths of the texts, the longest first, so that a secret that contains another is masked as a
    /// whole.
    var lengths: [Int] = []
    var isSmall: Bool { texts.count <= Self.smallCount }

    mutating func add(_ text: [UInt8]) {
      texts.append(text)
      insert(text.count, into: &lengths)
    }

    /// Returns the longest text that the condition applies to.
    func longest(where applies: ([UInt8]) -> Bool) -> [UInt8]? {
      texts.filter(applies).max { $0.count < $1.count }
    }
  }

  private struct Match {
    var count: Int
    var replacement: [UInt8]
  }

  package init(as form: Form) { self.form = form }

  /// Creates a redactor that shows each secret as ``Secret/masked``.
  ///
  /// It finds each secret in plain form, percent-encoded (RFC 3986, all but the unreserved characters; hexadecimal
  /// digits in either case) and within Base64.
  package init(_ secrets: [Secret]) {
    self.init(as: .masked)
    add(secrets)
  }

  /// Returns the range of the first secret in the bytes.
  package func firstRange(in bytes: [UInt8]) -> Range<Int>? {
    guard !replacements.isEmpty else { return nil }
    return bytes.withUnsafeBufferPointer { bytes in
      for position in bytes.indices where isFirst[Int(bytes[position])] {
        if let match = match(bytes, at: position, cutsOff: false) { return position..<position + match.count }
      }
      return nil
    }
  }

  /// Adds secrets to replace. The time does not depend on the number of secrets added before.
  package mutating func add(_ secrets: [Secret]) {
    for secret in secrets {
      let encoded = EncodedSecret.parts(of: secret)
      switch form {
      case .masked:
        let replacement = Array(secret.masked.utf8)
        for text in Self.spellings(of: secret) + encoded { add(text, replacement: replacement) }
      case .standIn:
        for (text, replacement) in zip(Self.spellings(of: secret), Self.spellings(of: secret.standIn)) {
          add(text, replacement: replacement)
        }
        for text in encoded { add(text, replacement: EncodedSecret.standIn(for: text)) }
      }
    }
  }

  private mutating func add(_ text: [UInt8], replacement: [UInt8]) {
    guard !text.isEmpty, replacements[text] == nil else { return }
    replacements[text] = replacement
    maximumLength = max(maximumLength, text.count)
    if isFirst.isEmpty { isFirst = Array(repeating: false, count: 256) }
    isFirst[Int(text[0])] = true
    let size = min(text.count, Beginning.size)
    insert(size, into: &sizes)
    let beginning = text.withUnsafeBufferPointer { Beginning(of: $0, at: 0, count: size) }
    groups[beginning, default: Group()].add(text)
  }

  /// Returns the plain form, and the percent-encoded form with uppercase and with lowercase digits.
  private static func spellings(of secret: Secret) -> [[UInt8]] {
    let plain = Array(secret.revealed.utf8)
    return [plain, Percent.encode(bytes: plain), Percent.encode(bytes: plain, uppercase: false)]
  }

  /// Returns the text with every secret replaced, including a secret that is cut off at the end.
  package func redact(_ text: String) -> String {
    replacements.isEmpty ? text : String(decoding: redact(Array(text.utf8)), as: UTF8.self)
  }

  /// Redacts bytes, which need not be text.
  /// - Parameter cutsOff: Whether the bytes may end in the middle of a secret.
  package func redact(_ bytes: [UInt8], cutsOff: Bool = true) -> [UInt8] {
    guard !replacements.isEmpty else { return bytes }
    return bytes.withUnsafeBufferPointer { redact($0, cutsOff: cutsOff) }
  }

  private func redact(_ bytes: UnsafeBufferPointer<UInt8>, cutsOff: Bool) -> [UInt8] {
    var redacted: [UInt8] = []
    redacted.reserveCapacity(bytes.count)
    var position = 0
    /// The end of the input that was already copied to `redacted`.
    var copiedEnd = 0
    while position < bytes.count {
      guard isFirst[Int(bytes[position])], let match = match(bytes, at: position, cutsOff: cutsOff) else {
        position += 1
        continue
      }
      redacted.append(contentsOf: bytes[copiedEnd..<position])
      redacted += match.replacement
      position += match.count
      copiedEnd = position
    }
    redacted.append(contentsOf: bytes[copiedEnd...])
    return redacted
  }

  /// Returns the secret at the position. At the end of truncated text, its first 8 bytes are enough.
  private func match(_ bytes: UnsafeBufferPointer<UInt8>, at position: Int, cutsOff: Bool) -> Match? {
    let rest = bytes.count - position
    for size in sizes where size <= rest {
      guard let group = groups[Beginning(of: bytes, at: position, count: size)] else { continue }
      if let text = whole(in: group, bytes[position...]) {
        return Match(count: text.count, replacement: replacements[text] ?? [])
      }
      if form == .masked, let match = shortened(in: group, bytes[position...]) { return match }
      guard size == Beginning.size, cutsOff, rest >= 8, rest < maximumLength else { continue }
      if let text = group.longest(where: { $0.count > rest && $0.starts(with: bytes[position...]) }) {
        return Match(count: rest, replacement: replacements[text] ?? [])
      }
    }
    return nil
  }

  /// Returns the secret that the input begins with in shortened form: at least its first 8 bytes, then an ellipsis.
  private func shortened(in group: Group, _ input: Slice<UnsafeBufferPointer<UInt8>>) -> Match? {
    let ellipsis: [UInt8] = [0xe2, 0x80, 0xa6]
    guard group.isSmall else { return nil }
    for text in group.texts {
      let count = zip(text, input).prefix { $0 == $1 }.count
      if count >= 8, input.dropFirst(count).starts(with: ellipsis) {
        return Match(count: count + ellipsis.count, replacement: replacements[text] ?? [])
      }
    }
    return nil
  }

  /// Returns the longest of a group's texts that the input begins with.
  private func whole(in group: Group, _ input: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8]? {
    if group.isSmall { return group.longest { input.starts(with: $0) } }
    for length in group.lengths where length <= input.count {
      let part = Array(input.prefix(length))
      if replacements[part] != nil { return part }
    }
    return nil
  }
}

/// Inserts a number into an array in descending order, unless the array contains it.
private func insert(_ number: Int, into numbers: inout [Int]) {
  guard let index = numbers.firstIndex(where: { $0 <= number }) else { return numbers.append(number) }
  if numbers[index] != number { numbers.insert(number, at: index) }
}

/// The Base64 digits that identify a secret, wherever it occurs in encoded text.
///
/// Three bytes become four digits, so a secret is encoded differently after 0, 1 or 2 bytes of preceding text. In
/// each of the three alignments, the digits that depend only on the secret are always the same.
enum EncodedSecret {
  /// A shorter secret determines too few digits to be recognized.
  private static let minimumLength = 6

  /// Returns the digits that depend only on the secret, for each alignment and in both alphabets (RFC 4648, sections
  /// 4 and 5).
  static func parts(of secret: Secret) -> [[UInt8]] {
    let bytes = Array(secret.revealed.utf8)
    guard bytes.count >= minimumLength else { return [] }
    return (0..<3).flatMap { before -> [[UInt8]] in
      let count = before + bytes.count
      var digits = Array(Base64.standard.encode([UInt8](repeating: 0, count: before) + bytes).utf8)
      // The last digit before the padding also encodes bits of the following text.
      if count % 3 != 0 { digits.removeLast(3 - count % 3 + 1) }
      // The first digits also encode bits of the preceding text.
      digits.removeFirst(before == 0 ? 0 : before + 1)
      let forURLs = digits.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? 0x5f : $0 }
      return digits == forURLs ? [digits] : [digits, forURLs]
    }
  }

  /// Returns recognizable replacement digits. Their number keeps the total length a multiple of four.
  static func standIn(for digits: [UInt8]) -> [UInt8] {
    Array("StandsIn".utf8) + Array("For".utf8.prefix(digits.count % 4))
  }
}
