/// A value of a property list, limited to the types that an app's settings use.
package indirect enum PropertyList: Equatable {
  case text(String)
  case dictionary([(key: String, value: PropertyList)])
  case array([PropertyList])
  /// Numbers, dates, data and Booleans, which no setting uses.
  case other

  package static func == (a: PropertyList, b: PropertyList) -> Bool {
    switch (a, b) {
    case (.text(let first), .text(let second)): first == second
    case (.array(let first), .array(let second)): first == second
    case (.dictionary(let first), .dictionary(let second)):
      first.elementsEqual(second) { $0.key == $1.key && $0.value == $1.value }
    case (.other, .other): true
    default: false
    }
  }

  var text: String? { if case .text(let text) = self { text } else { nil } }
  var members: [(key: String, value: PropertyList)]? {
    if case .dictionary(let members) = self { members } else { nil }
  }
  subscript(key: String) -> PropertyList? { members?.first { $0.key == key }?.value }

  /// Parses XML or binary, detected by the first bytes; nil if it is neither.
  package init?(parsing bytes: [UInt8]) {
    if bytes.starts(with: "bplist00".utf8) {
      guard let list = BinaryPropertyList(bytes)?.top else { return nil }
      self = list
      return
    }
    guard let document = try? XMLElement(parsing: bytes), document.name == "plist", let top = document.children.first,
      document.children.count == 1
    else { return nil }
    self.init(top)
  }

  private init?(_ element: XMLElement) {
    switch element.name {
    case "string": self = .text(element.text)
    case "dict":
      var members: [(key: String, value: PropertyList)] = []
      guard element.children.count % 2 == 0 else { return nil }
      for place in stride(from: 0, to: element.children.count, by: 2) {
        guard element.children[place].name == "key", let value = PropertyList(element.children[place + 1]) else {
          return nil
        }
        members.append((element.children[place].text, value))
      }
      self = .dictionary(members)
    case "array":
      let values = element.children.compactMap(PropertyList.init)
      guard values.count == element.children.count else { return nil }
      self = .array(values)
    case "integer", "real", "date", "data", "true", "false": self = .other
    default: return nil
    }
  }
}
