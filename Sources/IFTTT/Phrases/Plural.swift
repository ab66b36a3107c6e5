/// The plural form of a noun for a number, by the CLDR plural rules for whole numbers.
enum Plural {
  case one, few, many

  /// One is singular: English, German, Dutch, Italian, Spanish, European Portuguese, Finnish, the Scandinavian
  /// languages.
  static func onlyOne(_ count: Int) -> Plural { count == 1 ? .one : .many }

  /// Zero and one are singular: French, Brazilian Portuguese.
  static func noneOrOne(_ count: Int) -> Plural { count == 0 || count == 1 ? .one : .many }

  static func czech(_ count: Int) -> Plural {
    switch count {
    case 1: .one
    case 2...4: .few
    default: .many
    }
  }

  static func polish(_ count: Int) -> Plural { count == 1 ? .one : endsInTwoToFour(count) ? .few : .many }

  static func russian(_ count: Int) -> Plural {
    if count % 10 == 1 && count % 100 != 11 { return .one }
    return endsInTwoToFour(count) ? .few : .many
  }

  private static func endsInTwoToFour(_ count: Int) -> Bool {
    (2...4).contains(count % 10) && !(12...14).contains(count % 100)
  }

  /// The form of a noun for the number.
  func of(_ one: String, few: String? = nil, _ many: String) -> String {
    switch self {
    case .one: one
    case .few: few ?? many
    case .many: many
    }
  }
}
