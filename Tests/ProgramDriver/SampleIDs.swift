package import IFTTT

extension ConnectionID {
  package static var aa: ConnectionID { sample("aa") }
  package static var bb: ConnectionID { sample("bb") }

  private static func sample(_ text: String) -> ConnectionID {
    guard let id = ConnectionID(parsing: text) else { preconditionFailure("\(text) is no id") }
    return id
  }
}
