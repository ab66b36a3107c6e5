import CommandLine
import IFTTT

/// A condition of `connections wait --for`: a field of a connection, a comparison and a value, such as
/// `status=enabled`.
package struct WaitCondition: Sendable, Equatable, CustomStringConvertible {
  enum Field: String, Sendable, CaseIterable {
    case status, pending, name
    case enabledCount = "enabled_count"
  }

  enum Comparison: String, Sendable {
    case equal = "=", different = "!=", atLeast = ">=", atMost = "<=", above = ">", below = "<"

    var isOrder: Bool { self != .equal && self != .different }
  }

  /// The facts about a connection that conditions can refer to.
  struct Facts: Sendable, Equatable {
    var status: Connection.Status
    var isPending: Bool
    var name: String
    var enabledCount: Int?
  }

  let field: Field
  let comparison: Comparison
  let value: String

  package var description: String { field.rawValue + comparison.rawValue + value }

  /// - Throws: ``ValueError`` if the field, the comparison or the value is invalid.
  init(parsing text: String) throws(ValueError) {
    let bytes = Array(text.utf8)
    let signs = Array("=!<>".utf8)
    guard let start = bytes.firstIndex(where: signs.contains) else {
      throw ValueError("expected a condition such as status=enabled", accepted: Self.samples)
    }
    let long = bytes[start...].prefix(2)
    let sign = Comparison(rawValue: String(decoding: long, as: UTF8.self)) ?? Self.short(bytes[start])
    guard let sign else {
      throw ValueError("expected =, !=, >=, <=, > or <", bytes: start..<start + 1)
    }
    guard let field = Field(rawValue: String(decoding: bytes[..<start], as: UTF8.self)) else {
      throw ValueError("no such field", accepted: Field.allCases.map(\.rawValue), bytes: 0..<start)
    }
    let rest = start + sign.rawValue.utf8.count
    guard field == .enabledCount || !sign.isOrder else {
      throw ValueError("only enabled_count can be compared with this operator", bytes: start..<rest)
    }
    let word = String(decoding: bytes[rest...], as: UTF8.self)
    let value = field == .status || field == .pending ? word.loweredASCII : word
    try Self.check(value, of: field, at: rest..<bytes.count)
    (self.field, comparison, self.value) = (field, sign, value)
  }

  /// The values that shell completion offers.
  package static var samples: [String] {
    Connection.Status.allCases.map { "status=\($0.rawValue)" } + ["pending=true", "pending=false"]
  }

  private static func short(_ byte: UInt8) -> Comparison? {
    Comparison(rawValue: String(decoding: CollectionOfOne(byte), as: UTF8.self))
  }

  private static func check(_ value: String, of field: Field, at bytes: Range<Int>) throws(ValueError) {
    let accepted: [String]
    switch field {
    case .status: accepted = Connection.Status.allCases.map(\.rawValue)
    case .pending: accepted = ["true", "false"]
    case .name: return
    case .enabledCount:
      guard Int(value) == nil else { return }
      throw ValueError("expected a whole number", bytes: bytes)
    }
    guard accepted.contains(value) else { throw ValueError("no such value", accepted: accepted, bytes: bytes) }
  }

  /// Whether the facts meet the condition. An unknown count meets none.
  func holds(of facts: Facts) -> Bool {
    switch field {
    case .status: (facts.status.rawValue == value) == (comparison == .equal)
    case .pending: (facts.isPending == (value == "true")) == (comparison == .equal)
    case .name: (facts.name == value) == (comparison == .equal)
    case .enabledCount:
      if let count = facts.enabledCount, let limit = Int(value) { compares(count, limit) } else { false }
    }
  }

  private func compares(_ count: Int, _ limit: Int) -> Bool {
    switch comparison {
    case .equal: count == limit
    case .different: count != limit
    case .atLeast: count >= limit
    case .atMost: count <= limit
    case .above: count > limit
    case .below: count < limit
    }
  }

  /// Describes the field's current value, for the message of a wait that timed out.
  func present(in facts: Facts) -> String {
    switch field {
    case .status: "status is \(facts.status.rawValue)"
    case .pending: "pending is \(facts.isPending)"
    case .name: "name is '\(facts.name)'"
    case .enabledCount: "enabled_count is \(facts.enabledCount.map(String.init) ?? "unknown")"
    }
  }
}

extension ValueKind<WaitCondition> {
  static var condition: ValueKind {
    ValueKind(ValueSchema(placeholder: "FIELD=VALUE", completion: .dynamic("condition"))) {
      (text: String) throws(ValueError) in try WaitCondition(parsing: text)
    }
  }
}
