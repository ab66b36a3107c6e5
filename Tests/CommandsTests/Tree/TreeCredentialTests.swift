import CommandLine
import ProgramDriver
import Support
import Testing
import Text
import World

@testable import Commands
@testable import Session

/// Every command that needs a credential reports all that it lacks at once, and prompts for the same on a terminal.
@Suite struct TreeCredentialTests {
  /// A command line and the credentials that it needs, in the order in which it prompts for them.
  struct Row: CustomTestStringConvertible, Sendable {
    let line: String
    /// The command or action that the error names.
    let purpose: String
    let needs: [CredentialNeed.Kind]

    init(_ line: String, as purpose: String? = nil, _ needs: CredentialNeed.Kind...) {
      (self.line, self.needs) = (line, needs)
      self.purpose = purpose ?? "'\(line.split(separator: " ").prefix(2).joined(separator: " "))'"
    }

    var testDescription: String { line }
  }

  private static let key = CredentialNeed.Kind.secret(.serviceKey)
  private static let token = CredentialNeed.Kind.secret(.userToken)
  private static let accessToken = CredentialNeed.Kind.secret(.accessToken)
  private static let secret = CredentialNeed.Kind.secret(.clientSecret)
  private static let server = "http://127.0.0.1:8788"
  private static let sending = "sending location events"

  private static let rows = [
    Row("applets activate aa", .service, .userID), Row("applets enable aa", .service, token),
    Row("applets disable aa", .service, token), Row("applets fetch", .service),
    Row("configure aa", as: "'configure'", key, .userID),
    Row("configure aa --as user", as: "'configure'", token),
    Row("connections options aa", key, .userID), Row("connections run aa s.x", key, .userID),
    Row("connections query aa s.x", key, .userID), Row("connections test aa s.x", key, .userID),
    Row("connections options aa --refresh", key, .userID),
    Row("connections enable aa", token), Row("connections disable aa", token),
    Row("connections apply f.json", key, .userID), Row("connections diff f.json", key, .userID),
    Row("connections export aa", key, .userID),
    Row("connections show aa --users u.csv --as service", as: "'connections show' --users", key),
    Row("location report d27e9a40-5b13-4c68-9f02-3e8a6b7c1d54 enter", as: sending, token),
    Row("location replay walk.gpx", as: sending, token),
    Row("location events flush", as: sending, token),
    Row("service call \(server) queries/x", as: "a request to your server without an access token", key),
    Row("service test \(server)", as: "a request to your server", key),
    Row(
      "service test \(server) --sign-in --client-id c --authorize-url \(server)/a --token-url \(server)/t",
      as: "a request to your server", key, secret),
    Row("service listen --bind 0.0.0.0", as: "--bind 0.0.0.0", key), Row("service notify --user-id u", key),
    Row("token exchange", .userID, key, accessToken),
    Row("token exchange --api v1", as: "'token exchange --api v1'", .service, .userID, key, accessToken),
    Row("token exchange --users u.csv", key),
    Row("token set", token), Row("token verify", token), Row("token verify --as service", as: "--as service", key),
    Row("webhook fire x", .secret(.webhooksKey)),
  ]

  /// Commands with such options that also work without a credential, or use one only after another step.
  private static let others: Set = [
    // Without a credential, the requests are anonymous.
    "api", "connections activate", "connections add", "connections button", "connections list", "connections wait",
    "connections watch", "location map", "location regions", "sandbox start", "service events replay",
    // A recorded change comes first.
    "connections redo", "connections undo",
    // They store what they are given.
    "profile create", "profile set",
  ]

  private static let options: Set = [
    "service-key-file", "user-token-file", "access-token-file", "webhooks-key-file", "client-secret-file",
  ]

  @Test func everyCommandWithACredentialIsListed() {
    let commands = CommandPosition(root: Root.tree.ownSchema).subtree.filter { position in
      position.command.subcommands.isEmpty && position.command.options.contains { Self.options.contains($0.name) }
    }
    let names = Set(commands.map { $0.path.joined(separator: " ") })
    let listed = names.filter { name in Self.rows.contains { $0.line == name || $0.line.hasPrefix(name + " ") } }
    #expect(names == listed.union(Self.others))
    #expect(listed.isDisjoint(with: Self.others))
  }

  private static func value(of kind: CredentialNeed.Kind) -> (variable: EnvironmentVariable, option: String) {
    switch kind {
    case .secret(let name): (name.variable, "\(name.option) FILE")
    case .userID: (.userID, "--user-id ID")
    case .service: (.service, "--service SLUG")
    }
  }

  /// A home in which these credentials are in the environment.
  private static func home(with present: [CredentialNeed.Kind]) -> Home {
    let home = Home()
    for kind in present {
      let value = kind == .service ? "lampost" : "value-of-a-credential-0123456789"
      home.environment[self.value(of: kind).variable.name] = value
    }
    home.folder.write(
      "f.json", #"{"version":1,"connections":[{"id":"aa","features":[{"feature":"f","fields":{"x":"1"}}]}]}"#)
    home.folder.write("u.csv", "user_id,access_token\nu,at-0123456789\n")
    home.folder.write("walk.gpx", "<gpx></gpx>")
    return home
  }

  /// Runs a line with the files of the home.
  private static func run(_ line: String, in home: Home, input: ScriptedInput? = nil) -> Home.Outcome {
    let words = line.split(separator: " ").map(String.init)
    return home.run(
      words.map { ["f.json", "u.csv", "walk.gpx"].contains($0) ? home.folder[$0] : $0 }.joined(separator: " "),
      input: input)
  }

  private static func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

  @Test(arguments: rows) func allThatIsMissingIsReportedAtOnce(_ row: Row) {
    for chosen in 1..<(1 << row.needs.count) {
      let missing = row.needs.indices.filter { chosen & 1 << $0 != 0 }.map { row.needs[$0] }
      let present = row.needs.filter { !missing.contains($0) }
      let run = Self.run(row.line, in: Self.home(with: present))
      #expect(run.exit == .credentials && run.output.isEmpty, "\(row.line) without \(missing): \(run.errors)")
      let nouns = missing.map { kind in
        if case .secret(let name) = kind { "\(name.article) \(kind.noun)" } else { "a \(kind.noun)" }
      }
      #expect(run.notes.first == "ifttt: \(row.purpose) needs \(nouns.listed(with: "and"))")
      for kind in row.needs {
        let (variable, option) = Self.value(of: kind)
        let line = "  - \(kind.noun): pass \(option) or set \(variable). \(kind.origin)"
        #expect(run.notes.contains { $0.hasPrefix(line) } == missing.contains(kind), "\(row.line): \(run.errors)")
      }

      let home = Self.home(with: present)
      home.terminal = .interactive()
      let prompted = Self.run(row.line, in: home, input: .typed())
      let text = Self.words(run.errors)
      #expect(prompted.exit == .credentials)
      #expect(Self.words(prompted.errors).starts(with: text), "\(row.line): \(prompted.errors)")
      let prompt = missing[0].noun + ":"
      #expect(Self.words(prompted.errors).dropFirst(text.count).starts(with: Self.words(prompt)), "\(prompted.errors)")

      home.environment["CI"] = "1"
      let inCI = Self.run(row.line, in: home)
      #expect(inCI.exit == .credentials && Self.words(inCI.errors).last == text.last)
    }
  }

  /// The commands that store what can be stored, with the profile in use.
  @Test func theCommandsThatStoreTheCredentialsAreSuggested() {
    let home = Home()
    home.run("profile create work")
    #expect(
      home.run("--profile work token exchange").errors == """
        ifttt: 'token exchange' needs a user id, a service key and an OAuth access token
          - user id: pass --user-id ID or set IFTTT_USER_ID. Your service's endpoint /ifttt/v1/user/info returns it; it is not the IFTTT login.
          - service key: pass --service-key-file FILE or set IFTTT_SERVICE_KEY. IFTTT shows it on your service's page https://platform.ifttt.com/services/SLUG/api.
          - OAuth access token: pass --access-token-file FILE or set IFTTT_ACCESS_TOKEN. Your own OAuth server issues it for the user; no IFTTT page shows it.
          To store the user id and the service key, run 'ifttt profile set work --user-id ID --service-key-file FILE'.

        """)
    #expect(
      home.run("--profile work token verify").errors.hasSuffix(
        """
          Get and store a user token with 'ifttt --profile work token exchange', or store one that you have with 'ifttt --profile work token set'.

        """))
  }
}
