import Changes
import JSON
import Text

/// A file of users is read the same however its bytes are split. A user that is accepted keeps the limits, and is the
/// same when it is written as JSON Lines or CSV and read again. A report of a bad line has its number and none of its
/// text.
enum UserProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    for readsTokens in [true, false] {
      let whole = read(bytes, pieces: .max, readsTokens)
      for pieces in [1, 7] where read(bytes, pieces: pieces, readsTokens) != whole {
        return "pieces of \(pieces) bytes are read differently"
      }
      if let problem = problem(of: whole, lines: bytes.count { $0 == 0x0a || $0 == 0x0d } + 1, readsTokens) {
        return problem
      }
    }
    return nil
  }

  private struct Outcome: Equatable {
    var elements: [UsersReader.Element] = []
    var failure: String?
    var users: [UserEntry] { elements.compactMap { if case .user(let user) = $0 { user } else { nil } } }
  }

  private static func read(_ bytes: [UInt8], pieces: Int, _ readsTokens: Bool) -> Outcome {
    var (reader, outcome, rest) = (UsersReader(readsTokens: readsTokens), Outcome(), bytes[...])
    do {
      while !rest.isEmpty {
        try reader.read(Array(rest.prefix(pieces))) { outcome.elements.append($0) }
        rest = rest.dropFirst(pieces)
      }
      try reader.end { outcome.elements.append($0) }
    } catch { outcome.failure = "\(error)" }
    return outcome
  }

  private static func problem(of outcome: Outcome, lines: Int, _ readsTokens: Bool) -> String? {
    for element in outcome.elements {
      switch element {
      case .badLine(let line, let reason):
        guard (1...lines).contains(line), !reason.isEmpty else {
          return "a report without a reason or with a wrong line"
        }
        // The reasons are fixed texts with numbers.
        guard reason.utf8.allSatisfy({ 0x20...0x7e ~= $0 }), reason.utf8.count < 80 else { return "a report with text" }
      case .user(let user):
        guard (1...2048).contains(user.userID.utf8.count), !user.userID.hasControls() else {
          return "an invalid user id"
        }
        guard (user.accessToken != nil) == readsTokens else { return "a user without the token, or with one" }
        if user.accessToken.map({ $0.revealed.isEmpty || $0.revealed.hasControls() }) == true {
          return "an invalid token"
        }
      }
    }
    let users = outcome.users
    guard !users.isEmpty else { return nil }
    for text in [jsonLines(users), csv(users)]
    where read(text, pieces: .max, readsTokens) != Outcome(elements: users.map { .user($0) }) {
      return "users that change when they are written again"
    }
    return nil
  }

  private static func jsonLines(_ users: [UserEntry]) -> [UInt8] {
    users.flatMap { user in
      var object: JSONObject = ["user_id": .string(user.userID)]
      object["access_token"] = user.accessToken.map { .string($0.revealed) }
      return JSONValue.object(object).bytes + [0x0a]
    }
  }

  private static func csv(_ users: [UserEntry]) -> [UInt8] {
    func quoted(_ text: String) -> [UInt8] {
      [0x22] + text.utf8.flatMap { $0 == 0x22 ? [0x22, 0x22] : [$0] } + [0x22]
    }
    let hasTokens = users[0].accessToken != nil
    var lines = Array((hasTokens ? "access_token,user_id\r\n" : "user_id\r\n").utf8)
    for user in users {
      if let token = user.accessToken { lines += quoted(token.revealed) + [0x2c] }
      lines += quoted(user.userID) + [0x0d, 0x0a]
    }
    return lines
  }
}
