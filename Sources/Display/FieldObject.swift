import JSON

/// Reduces rows to the selected fields: an object whose keys are the fields' paths, in their order.
struct FieldObject {
  private var projection: FieldProjection
  /// The bytes before each value: `{"id":`, then `,"services.name":`.
  private let openings: [[UInt8]]

  init(_ fields: [FieldPath]) {
    projection = FieldProjection(fields)
    openings = fields.enumerated().map { place, field in
      Array((place == 0 ? "{" : ",").utf8) + JSONValue.string(field.text).bytes + [UInt8(ascii: ":")]
    }
  }

  mutating func append(_ row: UnsafeRawBufferPointer, to json: inout [UInt8]) throws(JSONError) {
    try projection.read(row)
    if openings.isEmpty { json.append("{") }
    for place in openings.indices {
      json.append(contentsOf: openings[place])
      try projection.appendJSON(place, of: row, to: &json)
    }
    json.append("}")
  }
}
