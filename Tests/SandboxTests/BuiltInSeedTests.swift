import JSON
import Testing

@testable import Sandbox

/// The built-in seeds: the texts of `plain`, and the parts that are the same in `unusual`.
@Suite struct BuiltInSeedTests {
  private static let plain = SandboxSeed(.plain).json
  private static let unusual = SandboxSeed(.unusual).json

  /// The names of connections, Applets and services.
  private static func names(_ seed: JSONValue) -> [String] {
    ["connections", "applets", "services"].flatMap { seed[$0]?.array ?? [] }.compactMap { $0["name"]?.string }
  }

  private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20...0x7e).contains($0) } }

  @Test func plainNamesAreShortAndDistinct() {
    let names = Self.names(Self.plain)
    #expect(names.count == 12 + 8 + 11 && Set(names).count == names.count)
    for name in names { #expect(name.count < 40 && !name.isEmpty && Self.isPlain(name), "\(name)") }
  }

  /// All texts, also labels, descriptions, addresses and the values that users entered.
  @Test func plainTextsArePrintableASCII() {
    let texts = Self.plain.strings
    #expect(texts.count > 500)
    for text in texts { #expect(Self.isPlain(text), "\(text)") }
    #expect(!Self.unusual.strings.allSatisfy(Self.isPlain))
  }

  @Test func theSeedsDifferOnlyInTextsAndPlaces() {
    #expect(Self.plain != Self.unusual)
    #expect(Self.plain.withoutTexts == Self.unusual.withoutTexts)
    // The comparison includes ids, credentials, statuses, types and the values of options.
    for id in ["Wd5Po8Rk", SandboxFixtures.userToken, "never_enabled", "LOCATION_RADIUS", "u;k=1+2&/~%", "f_0"] {
      #expect(Self.plain.withoutTexts.strings.contains(id), "\(id)")
    }
  }

  /// A replacement whose text is no longer in the catalog has no effect.
  @Test func everyReplacementIsUsed() {
    let unused = FixtureTexts.plain.replaced.subtracting(Self.unusual.strings)
    #expect(unused.isEmpty, "\(unused)")
  }

  /// Configured places of the first user, which the map of the sandbox profile shows.
  @Test func plainPlacesAreInOneCity() throws {
    let places = (Self.plain["connections"]?.array ?? []).flatMap { $0["users"]?["u-5521"]?.objects(with: "lat") ?? [] }
    #expect(places.count == 8)
    for place in places {
      let (latitude, longitude) = try (#require(place["lat"]?.double), #require(place["lng"]?.double))
      #expect((38.6...38.8).contains(latitude) && (-9.5 ... -9.0).contains(longitude), "\(place)")
    }
  }
}

extension JSONValue {
  /// All strings in the value, in order.
  fileprivate var strings: [String] {
    switch self {
    case .string(let text): [text]
    case .array(let elements): elements.flatMap(\.strings)
    case .object(let object): object.members.flatMap { $0.value.strings }
    default: []
    }
  }

  /// All objects in the value that have this key.
  fileprivate func objects(with key: String) -> [JSONValue] {
    switch self {
    case .array(let elements): elements.flatMap { $0.objects(with: key) }
    case .object(let object):
      (object[key] == nil ? [] : [self]) + object.members.flatMap { $0.value.objects(with: key) }
    default: []
    }
  }

  /// The keys of a seed whose values are texts or coordinates.
  private static let texts: Set = [
    "name", "short_name", "description", "title", "label", "group", "address", "lat", "lng", "preset",
  ]

  /// A seed in which a type stands for each text and each coordinate.
  fileprivate var withoutTexts: JSONValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withoutTexts))
    case .object(let object):
      .object(
        JSONObject(
          members: object.members.map { key, value in
            let isText = Self.texts.contains(key)
            return switch (key, value) {
            case ("values", .array(let values)): (key: key, value: .array(values.map { $0.typed ?? $0.withoutTexts }))
            case ("rows", _): (key: key, value: value.withoutStrings)
            default: (key: key, value: (isText ? value.typed : nil) ?? value.withoutTexts)
            }
          }))
    default: self
    }
  }

  /// A type in place of a text or a number; nil for any other value.
  private var typed: JSONValue? {
    switch self {
    case .string: "text"
    case .number: "number"
    default: nil
    }
  }

  private var withoutStrings: JSONValue {
    switch self {
    case .string: "text"
    case .array(let elements): .array(elements.map(\.withoutStrings))
    case .object(let object):
      .object(JSONObject(members: object.members.map { (key: $0.key, value: $0.value.withoutStrings) }))
    default: self
    }
  }
}
