import JSON

/// What faults do to a body of JSON; one that is none is left as it is.
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

  /// Stands where the bytes that are not UTF-8 go, since no string can hold those. It is in no text of the world.
  fileprivate static let placeholder = "\u{f8ff}"
}

extension JSONValue {
  /// The value with every member of every object replaced, those within first.
  fileprivate func mapped(_ change: (_ key: String, _ value: JSONValue) -> JSONValue) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.mapped(change) })
    case .object(let object):
      .object(
        JSONObject(members: object.members.map { (key: $0.key, value: change($0.key, $0.value.mapped(change))) }))
    default: self
    }
  }

  /// With what people read, and no program, replaced.
  fileprivate func renamed(_ change: (String) -> JSONValue) -> JSONValue {
    let names: Set = ["name", "description", "service_name", "service_short_name", "title", "label", "message"]
    return mapped { key, value in
      guard names.contains(key), let text = value.string else { return value }
      return change(text)
    }
  }

  /// With the placeholder in what people read, or in every text where nobody reads any.
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

  /// Each key twice, first with another value: the last one counts to most readers.
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
  /// The placeholder's three bytes replaced by two that begin and end nothing.
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
