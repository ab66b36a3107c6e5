import JSON

/// Corruptions of a JSON body by injected faults. A body that is not JSON stays unchanged.
enum BodyCorruption {
  static func done(to body: [UInt8], by fault: InjectedFault) -> [UInt8] {
    if fault == .badJSON { return Array(body.prefix(body.count * 2 / 3)) }
    guard let json = try? JSONValue(parsing: body) else { return body }
    switch fault {
    case .invalidUTF8: return json.spoilt.bytes.withoutPlaceholders
    case .duplicateKeys: return json.bytesWithKeysTwice
    case .unknownEnum: return json.withUnknownWords.bytes
    case .wrongTypes: return json.mistyped.bytes
    case .extraKeys: return json.extended.bytes
    case .escapes: return json.renamed { .string("\u{1b}[2J\u{1b}]0;owned\u{7}\u{202e}\($0)\u{9b}31m\r\n") }.bytes
    default: return body
    }
  }

  /// A placeholder for invalid UTF-8 bytes, which a string cannot contain. No text of the fixtures contains it.
  fileprivate static let placeholder = "\u{f8ff}"
}

extension JSONValue {
  /// The value with every member of every object replaced, innermost first.
  fileprivate func mapped(_ change: (_ key: String, _ value: JSONValue) -> JSONValue) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapped(change) })
    case .object(let object):
      .object(
        JSONObject(members: object.members.map { (key: $0.key, value: change($0.key, $0.value.mapped(change))) }))
    default: self
    }
  }

  /// The value with all text that only people read replaced.
  fileprivate func renamed(_ change: (String) -> JSONValue) -> JSONValue {
    let names: Set = ["name", "description", "service_name", "service_short_name", "title", "label", "message"]
    return mapped { key, value in
      guard names.contains(key), let text = value.string else { return value }
      return change(text)
    }
  }

  /// The value with the placeholder in all text that people read, or in every string if there is no such text.
  fileprivate var spoilt: JSONValue {
    let spoilt = renamed { .string(BodyCorruption.placeholder + $0) }
    guard spoilt == self else { return spoilt }
    return mapped { _, value in value.string.map { .string(BodyCorruption.placeholder + $0) } ?? value }
  }

  fileprivate var withUnknownWords: JSONValue {
    mapped { key, value in
      switch (key, value) {
      case ("user_status", .string): "snoozed"
      case ("type", .string(let text)) where text.utf8.contains(UInt8(ascii: "_")): "HOLOGRAM_FIELD"
      case ("field_type", .string): "HOLOGRAM_FIELD"
      case ("authentication_level", .string): "deity"
      default: value
      }
    }
  }

  fileprivate var mistyped: JSONValue {
    mapped { key, value in
      switch value {
      case .number(let number): .string(number.text)
      case .bool(let flag): .string(flag ? "true" : "false")
      case .string where key == "name" || key == "title" || key == "label": 404
      case .null: false
      default: value
      }
    }
  }

  fileprivate var extended: JSONValue {
    let extra: JSONValue = ["nested": [1, nil, ["deeper": true]]]
    return switch self {
    case .array(let elements): .array(elements.map(\.extended))
    case .object(let object):
      .object(
        JSONObject(
          members: [(key: "x_before", value: extra)] + object.members.map { (key: $0.key, value: $0.value.extended) }
            + [(key: "x_after", value: extra)]))
    default: self
    }
  }

  /// The JSON with every key twice, first with another value. Most parsers use the last one.
  fileprivate var bytesWithKeysTwice: [UInt8] {
    guard case .object(let object) = self else { return bytes }
    var writer = JSONWriter()
    writer.beginObject()
    for (key, _) in object.members where key != "id" {
      writer.key(key)
      writer.string("the first of two")
    }
    for (key, value) in object.members {
      writer.key(key)
      writer.value(value)
    }
    writer.endObject()
    return writer.bytes
  }
}

extension [UInt8] {
  /// The bytes with each placeholder replaced by two bytes that are invalid in UTF-8.
  fileprivate var withoutPlaceholders: [UInt8] {
    let mark = Array(BodyCorruption.placeholder.utf8)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    var place = 0
    while place < count {
      if self[place...].starts(with: mark) {
        bytes += [0xff, 0xc0]
        place += mark.count
      } else {
        bytes.append(self[place])
        place += 1
      }
    }
    return bytes
  }
}
