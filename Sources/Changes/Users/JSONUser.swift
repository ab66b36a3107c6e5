import JSON
import Text

extension UserEntry {
  /// The user in one line of JSON Lines.
  init(json line: [UInt8], readsToken: Bool) throws(BadLine) {
    let value: JSONValue
    // A user needs few values, and a line of brackets would take sixty times its size in memory.
    do throws(JSONError) { value = try JSONValue(document: line, values: 10_000) } catch {
      throw BadLine(error.problem == JSONError.halfPair ? error.problem : "it is not JSON")
    }
    guard let object = value.object else { throw BadLine("it is not a JSON object") }
    func text(_ key: String) throws(BadLine) -> String? {
      let members = object.members.filter { $0.key == key }
      guard members.count < 2 else { throw BadLine("it has \"\(key)\" twice") }
      guard let value = members.first?.value else { return nil }
      guard let text = value.string else { throw BadLine("\"\(key)\" is not a string") }
      return text
    }
    guard let id = try text("user_id") else { throw BadLine("it has no \"user_id\"") }
    try self.init(parsing: id, token: readsToken ? text("access_token") ?? "" : nil)
  }

  /// - Parameter token: nil if the command needs no token.
  init(parsing id: String, token: String?) throws(BadLine) {
    guard !id.isEmpty else { throw BadLine("the user id is empty") }
    guard id.utf8.count <= Self.longestID else { throw BadLine("the user id is longer than \(Self.longestID) bytes") }
    guard id.unicodeScalars.allSatisfy({ $0.value >= 0x20 && !(0x7f...0x9f ~= $0.value) }) else {
      throw BadLine("the user id contains control characters")
    }
    // With a character that was copied by mistake, IFTTT would respond for another user.
    if let character = InvisibleCharacter(in: id) { throw BadLine("the user id contains \(character)") }
    guard !id.unicodeScalars.contains("\u{fffd}") else {
      throw BadLine("the user id contains the replacement character (U+FFFD)")
    }
    var secret: Secret?
    if let token {
      guard !token.isEmpty else { throw BadLine("it has no access_token") }
      do throws(SecretFault) { secret = try Secret(given: token) } catch {
        throw BadLine("the access token \(error.predicate)")
      }
    }
    self.init(userID: id, accessToken: secret)
  }
}
