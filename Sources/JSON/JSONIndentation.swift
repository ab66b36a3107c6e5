extension JSONValue {
  /// The value formatted for people: one member or element per line, two spaces per level, and a line feed at the
  /// end.
  package var indented: [UInt8] {
    var text: [UInt8] = []
    write(into: &text, indentation: 0)
    text.append(UInt8(ascii: "\n"))
    return text
  }

  /// The value as a part of a text that is formatted for people.
  /// - Parameter indentation: the number of spaces before the line that it begins in.
  package func indented(at indentation: Int) -> [UInt8] {
    var text: [UInt8] = []
    write(into: &text, indentation: indentation)
    return text
  }

  private func write(into text: inout [UInt8], indentation: Int) {
    let inner = [UInt8](repeating: UInt8(ascii: " "), count: indentation + 2)
    func line(_ place: Int) { text += place == 0 ? Array("\n".utf8) + inner : Array(",\n".utf8) + inner }
    func close(_ bracket: Unicode.Scalar) {
      text += Array("\n".utf8) + inner.dropLast(2) + [UInt8(ascii: bracket)]
    }
    switch self {
    case .array(let elements) where elements.contains(where: \.holdsMore):
      text.append(UInt8(ascii: "["))
      for (place, element) in elements.enumerated() {
        line(place)
        element.write(into: &text, indentation: indentation + 2)
      }
      close("]")
    case .object(let object) where !object.members.isEmpty:
      text.append(UInt8(ascii: "{"))
      for (place, member) in object.members.enumerated() {
        line(place)
        text += JSONValue.string(member.key).bytes + Array(": ".utf8)
        member.value.write(into: &text, indentation: indentation + 2)
      }
      close("}")
    default: text += bytes
    }
  }

  /// Whether the value gets its own lines. Arrays of plain values fit on one line.
  private var holdsMore: Bool {
    switch self {
    case .array(let elements): !elements.isEmpty
    case .object(let object): !object.members.isEmpty
    default: false
    }
  }
}
