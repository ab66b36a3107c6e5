package import IFTTT

extension ConnectionID {
  package static let aa = sample("aa")
  package static let bb = sample("bb")

  private static func sample(_ text: String) -> ConnectionID {
    guard let id = ConnectionID(parsing: text) else { preconditionFailure("\(text) is no id") }
    return id
  }
}
