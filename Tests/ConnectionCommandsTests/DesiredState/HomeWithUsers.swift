import ProgramDriver
import Support
import Testing

extension Home {
  /// A home with a service key in the environment and stored tokens of these users.
  static func withTokens(of users: [String]) -> Home {
    let home = Home()
    let key = "key-of-the-tests-0123456789"
    home.environment["IFTTT_SERVICE_KEY"] = key
    home.secrets.append(key)
    for user in users {
      let token = "token-of-\(user)-0123456789abcdef"
      home.secrets.append(token)
      home.run("token set --user-id \(user) --user-token-file -", input: .text(token), reveals: true)
    }
    return home
  }

  /// Writes a file for `--users`, and returns its path.
  func users(_ names: [String]) -> String {
    folder.write("users.csv", (["user_id"] + names).map { $0 + "\n" }.joined())
  }
}
