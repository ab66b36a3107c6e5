import JSON

/// An assembler that finds JSON objects in lines. An object may span several lines, and a line may contain several
/// objects.
///
/// After an object without an end, reading continues at the next line that starts with a bracket, or at the next record
/// separator (RFC 7464).
struct JSONObjectAssembler {
  /// The object whose end has not arrived.
  private struct Begun {
    var bytes: [UInt8]
    let line: Int
    var scanner: BracketScanner
    var isTooLong = false

    /// Add bytes, unless the object is too long already.
    mutating func append(_ more: some Collection<UInt8>) {
      guard !isTooLong else { return }
      isTooLong = bytes.count + more.count > JSONLinesReader.lineLimit
      if isTooLong { bytes = [] } else { bytes += more }
    }
  }

  private static let separator: UInt8 = 0x1e
  private var begun: Begun?

  /// - Parameter line: Nil for a line that is too long.
  mutating func receive(_ line: UnsafeRawBufferPointer?, _ number: Int, into found: inout [TrackItem]) {
    guard let line else {
      finish(into: &found)
      found.append(Self.tooLong(number))
      return
    }
    let isBoundary = line.first == Self.separator || line.first == UInt8(ascii: "{")
    if isBoundary { finish(into: &found) }
    var rest = line.drop { $0 == Self.separator }[...]
    while !rest.allSatisfy({ $0 <= 0x20 }) { rest = receiveNext(rest, number, into: &found) }
  }

  /// Report the object whose end has not arrived.
  mutating func finish(into found: inout [TrackItem]) {
    guard let begun else { return }
    self.begun = nil
    guard !begun.isTooLong else { return found.append(Self.tooLong(begun.line)) }
    Self.read(begun.bytes, begun.line, into: &found)
  }

  /// Read the next object of a line, or a part of one.
  /// - Returns: The rest of the line.
  private mutating func receiveNext(
    _ text: Slice<UnsafeRawBufferPointer>, _ number: Int, into found: inout [TrackItem]
  ) -> Slice<UnsafeRawBufferPointer> {
    var object = begun ?? Begun(bytes: [], line: number, scanner: BracketScanner())
    let isNew = begun == nil
    if !isNew { object.append([UInt8(ascii: "\n")]) }
    begun = nil
    let start = isNew ? text.firstIndex { $0 > 0x20 } ?? text.endIndex : text.startIndex
    let text = text[start...]
    guard !isNew || text.first == UInt8(ascii: "{") else {
      Self.read(Array(text), number, into: &found)
      return text[text.endIndex...]
    }
    guard let end = object.scanner.end(in: text) else {
      object.append(text)
      begun = object
      // A string cannot contain a line break, so this is not the end of a longer object.
      if object.scanner.isInString { finish(into: &found) }
      return text[text.endIndex...]
    }
    let rest = text[(start + end + 1)...]
    // Anything but another object belongs to the same damaged line.
    let next = rest.first { $0 > 0x20 }
    let isLast = next != UInt8(ascii: "{")
    object.append(isLast ? text : text[...(start + end)])
    begun = object
    finish(into: &found)
    return isLast ? rest[rest.endIndex...] : rest
  }

  private static func read(_ bytes: [UInt8], _ line: Int, into found: inout [TrackItem]) {
    switch PositionObject.read(bytes) {
    case .position(let position): found.append(.position(position))
    case .nothing: break
    case .broken(let reason): found.append(.broken(reason: reason, line: line))
    }
  }

  private static func tooLong(_ line: Int) -> TrackItem {
    .broken(reason: "it is longer than \(JSONLinesReader.lineLimit) bytes", line: line)
  }
}
