package import CommandLine
package import HTTP
import Text

/// The options of a command that has ``UsersOptions``. They take effect before the command runs.
package protocol OptionsWithUsers: CommandOptions {
  var users: UsersOptions { get }
}

/// The options of a run over the users of a file.
package struct UsersOptions: Sendable {
  /// The path of the users file; `-` for stdin, nil for a run without users.
  package var file: String?
  package var isOrdered = false
  package var rate: RateLimit?
  package var shards = ShardOptions()

  package init() {}

  /// The heading of these options in help.
  package static let heading = "Many users"

  package static var flags: [Flag<UsersOptions>] {
    let flags: [Flag<UsersOptions>] =
      [
        .value(
          "users", .file, into: \.file, isAdvanced: true,
          help: """
            Run for each user in this file, '-' for stdin: JSON Lines or CSV with user_id; a repeated user is processed \
            once
            """),
        .toggle("ordered", into: \.isOrdered, isAdvanced: true, help: "Print results in the order of the users"),
        rateFlag,
      ] + .lifted(ShardOptions.flags, into: \.shards)
    return flags.grouped(under: heading)
  }

  /// The flag `--rate`, also for commands without `--users`.
  package static var rateFlag: Flag<UsersOptions> {
    .value(
      "rate", .rate, into: \.rate, isAdvanced: true,
      help: "Maximum rate of requests, such as 50/s or 600/m, retries included")
  }

  /// The same options with another users file.
  package func reading(_ file: String) -> UsersOptions {
    var options = self
    options.file = file
    return options
  }

  /// Checks the combination of options.
  /// - Parameters:
  ///   - credentials: the options that select credentials.
  ///   - others: the long names of the options that were passed and cannot be combined with `--users`.
  package func check(_ credentials: CredentialOptions? = nil, without others: [String] = []) throws(Conflict) {
    try shards.check()
    guard file != nil else {
      if isOrdered { throw Conflict("--ordered needs --users", options: ["ordered"]) }
      return
    }
    if let other = others.first {
      throw Conflict("--users cannot be combined with --\(other)", options: [other])
    }
    if credentials?.userTokenFile != nil {
      throw Conflict("--users cannot be combined with --user-token-file", options: ["user-token-file"])
    }
    if credentials?.level == .anonymous {
      throw Conflict("--users needs --as service or --as user", options: ["as"])
    }
  }
}

extension ValueKind<RateLimit> {
  /// A rate limit such as `50/s` or `600/m`.
  static var rate: ValueKind {
    .parsed("N/s", expected: "a number of requests per second or minute, such as 50/s or 600/m") { text in
      let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].allSatisfy(\.isDigit),
        let count = Int(Substring(parts[0])), 1...100_000 ~= count
      else { return nil }
      switch String(Substring(parts[1])) {
      case "s": return RateLimit(count, per: .seconds(1))
      case "m": return RateLimit(count, per: .seconds(60))
      default: return nil
      }
    }
  }
}
