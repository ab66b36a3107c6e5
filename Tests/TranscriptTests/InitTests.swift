import Foundation
import Support
import Testing

/// `ifttt init` on a terminal, with the sandbox's server as IFTTT.
@Suite struct InitTests {
  private let server: SandboxServer
  private let home: Home

  init() throws {
    server = try SandboxServer()
    home = Self.home(of: server)
  }

  /// A home that uses the server without its credentials.
  private static func home(of server: SandboxServer) -> Home {
    Home(nil, server.environment.filter { $0.key.hasSuffix("_URL") })
  }

  private static let key = "sandbox-key-lampost-7hQ2xV9mTz4LcB1n"

  private struct Step {
    let prompt: String
    var typed: String
  }

  private static let service = Step(prompt: "service slug (? opens the page): ", typed: "lampost")
  private static let serviceKey = Step(prompt: "service key or its file (? opens the page): ", typed: key)
  private static let storing = Step(prompt: "Store the service key in profile 'default'? [Y/n] ", typed: "y")
  private static let user = Step(prompt: "user id: ", typed: Known.user)
  /// The prompt shows the id that was typed before an error.
  private static let userAgain = Step(prompt: "user id [u-5521]: ", typed: "")
  private static let accessToken = Step(prompt: "OAuth access token or its file: ", typed: Known.accessToken)
  private static let activation = Step(prompt: "connection to activate: ", typed: "")
  private static let connections = Step(
    prompt: "connection ids or URLs: ", typed: "Kd7Rn2Qx https://ifttt.com/connections/Fq3Lw8Zt")

  private static let all = [service, serviceKey, storing, user, accessToken, connections]

  private static func skipped(_ step: Step) -> Step { Step(prompt: step.prompt, typed: "") }

  /// Types at each prompt, and reads to the exit status.
  private func run(
    _ steps: [Step], _ words: [String] = ["init"], in home: Home? = nil, status: Int = 0
  ) throws -> String {
    let running = try (home ?? self.home).start(onTerminal: words)
    var text = ""
    for step in steps {
      let read = running.read(until: step.prompt)
      #expect(read.hasSuffix(step.prompt), "\(read)")
      text += read
      running.type(step.typed == "\u{3}" ? step.typed : step.typed + "\n")
    }
    let end = running.read(until: "status \(status)")
    #expect(end.hasSuffix("status \(status)"), "\(end)")
    running.type("\n")
    text += end
    for secret in [Self.key, Known.userToken, Known.accessToken] { #expect(!text.contains(secret)) }
    return text
  }

  /// The text without line breaks, which depend on the terminal's width.
  private func flat(_ text: String) -> String { text.split { $0.isWhitespace }.joined(separator: " ") }

  /// The commands that were shown for scripts.
  private func script(in text: String) -> [String] {
    let lines = text.replacingOccurrences(of: "\r", with: "").components(separatedBy: "In a script:").dropFirst()
    return lines.compactMap { part in
      part.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.first { $0.hasPrefix("ifttt ") }
    }
  }

  /// What the steps store.
  private func contents(of home: Home) throws -> [String] {
    try [
      // The server issues another token each time, which works as well.
      ["profile", "list", "--json"], ["token", "list", "--fields", "user_id", "-o", "csv"],
      ["token", "verify", "--json"],
      ["connections", "list", "--offline", "--fields", "id,name,status", "-o", "csv"],
      ["token", "verify", "--as", "service", "--json"],
    ].map { try home.run($0, ["CI": "true"]).text }
  }

  @Test func theShownCommandsStoreTheSame() throws {
    let text = try run(Self.all)
    for stored in ["the service", "the service key", "the user token of 'u-5521'"] {
      #expect(text.contains("Stored \(stored) in profile 'default'."))
    }
    let script = script(in: text)
    #expect(
      script == [
        "ifttt profile set default --service lampost",
        "ifttt profile set default --service-key-file FILE",
        "ifttt token exchange --user-id u-5521 --access-token-file FILE",
        "ifttt connections add Kd7Rn2Qx https://ifttt.com/connections/Fq3Lw8Zt",
      ])
    let other = Self.home(of: server)
    other.workplace.write("key", Self.key)
    other.workplace.write("token", Known.accessToken)
    for line in script {
      let words = line.replacingOccurrences(of: "--service-key-file FILE", with: "--service-key-file key")
        .replacingOccurrences(of: "--access-token-file FILE", with: "--access-token-file token")
        .split(separator: " ").dropFirst().map(String.init)
      let outcome = try other.run(words)
      #expect(outcome.status == 0, "\(line): \(outcome.errors)")
    }
    let contents = try contents(of: home)
    #expect(try self.contents(of: other) == contents)
    #expect(contents[0].contains("service_key") && contents[3].contains("Kd7Rn2Qx"))
    #expect(contents[2].contains("true") && contents[4].contains("true"))
  }

  /// The name of a profile that does not exist yet, and secrets in files.
  @Test func anotherProfileIsCreatedFromFiles() throws {
    home.workplace.write("key.txt", Self.key)
    var steps = [Self.skipped(Self.service), Self.serviceKey, Self.storing, Self.user, Self.accessToken]
    steps[1].typed = home.workplace["key.txt"]
    steps[2] = Step(prompt: "Store the service key in profile 'work'? [Y/n] ", typed: "n")
    let text = try run(
      steps + [Self.skipped(Self.connections)], ["init", "--profile", "work"])
    #expect(
      script(in: text) == [
        "ifttt profile create work",
        "ifttt --profile work token exchange --user-id u-5521 --access-token-file FILE --service-key-file "
          + home.workplace["key.txt"],
      ])
    #expect(try home.run("profile", "show", "work").text.contains("CREDENTIALS:  user_token\n"))
  }

  @Test func everyStepCanBeSkipped() throws {
    let steps = [Self.service, Self.serviceKey, Self.user, Self.activation, Self.connections].map(Self.skipped)
    let text = try run(steps)
    #expect(text.contains("Track a connection later with 'ifttt connections add ID'."))
    #expect(script(in: text) == [])
    #expect(home.folder.names == [], "nothing is stored")
  }

  @Test func oneStepAloneCanBeSkipped() throws {
    _ = try run([Self.skipped(Self.service)] + Self.all.dropFirst())
    #expect(try contents(of: home)[4].contains("true"))
    let second = Self.home(of: server)
    let text = try run(
      Self.all.prefix(3) + [Self.user, Self.skipped(Self.accessToken), Self.activation, Self.connections], in: second)
    #expect(script(in: text)[2] == "ifttt profile set default --user-id u-5521")
    #expect(try second.tracked().sorted() == ["Fq3Lw8Zt", "Kd7Rn2Qx"])
    let third = Self.home(of: server)
    _ = try run(Self.all.dropLast() + [Self.skipped(Self.connections)], in: third)
    #expect(try third.tracked() == [])
  }

  /// Without an access token, the user token comes from a page in the browser, if it returns one.
  @Test(arguments: [true, false]) func theBrowserReturnsAUserToken(_ returnsToken: Bool) throws {
    let server = try SandboxServer("--outcome", returnsToken ? "complete" : "complete-without-token")
    let home = Self.home(of: server)
    let script = try #require(Bundle.module.resourceURL).appendingPathComponent("Servers/browser.py").path
    home.environment["BROWSER"] =
      "\(try Tool.required("python3").path) -B \(script) follow \(home.workplace["seen"]) %s"
    var activation = Self.activation
    activation.typed = "Ud6Jn1Gs"
    let email = Step(prompt: "Email address of your IFTTT account: ", typed: "kai@mail.test")
    // Without a token, the step is repeated, and skipped here.
    let repeated = returnsToken ? [] : [Self.userAgain, Self.accessToken, Self.activation].map(Self.skipped)
    let text = try run(
      [Self.service, Self.serviceKey, Self.storing, Self.user, Self.skipped(Self.accessToken), activation, email]
        + repeated + [Self.skipped(Self.connections)], in: home)
    #expect(text.contains("Stored the user token in profile 'default'.") == returnsToken)
    #expect(text.contains("IFTTT returned no user token.") == !returnsToken)
    let command = "ifttt connections activate Ud6Jn1Gs --url sdk --user-id u-5521"
    #expect(self.script(in: text).contains(command) == returnsToken)
    #expect(
      try home.run("token", "list", "--fields", "user_id", "-o", "csv", "--no-header").text
        == (returnsToken ? "u-5521\n" : ""))
    #expect(try home.tracked() == ["Ud6Jn1Gs"])
  }

  @Test func aStepIsRepeatedAfterAnError() throws {
    var wrongKey = Self.serviceKey
    wrongKey.typed = "a-wrong-key-0123456789-abcdef"
    var wrongToken = Self.accessToken
    wrongToken.typed = "at_wrong"
    var wrongConnection = Self.connections
    wrongConnection.typed = "Zz9Zz9Zz"
    let text = try run([
      Self.service, wrongKey, Self.serviceKey, Self.storing, Self.user, wrongToken, Self.userAgain, Self.accessToken,
      wrongConnection, Self.connections,
    ])
    let shown = flat(text)
    #expect(shown.contains("IFTTT rejected the service key from the prompt"))
    #expect(shown.contains("IFTTT rejected the service key from profile 'default' or the access token from the prompt"))
    #expect(shown.contains("no connection 'Zz9Zz9Zz'"))
    #expect(try contents(of: home)[3].contains("Kd7Rn2Qx"))
  }

  @Test func anUnreachableServerStoresNothing() throws {
    let offline = Home(nil, ["IFTTT_CONNECT_URL": "http://127.0.0.1:1"])
    let text = try run(
      [Self.skipped(Self.service), Self.serviceKey, Self.skipped(Self.serviceKey)]
        + [Self.user, Self.activation, Self.connections].map(Self.skipped),
      ["init", "--retries", "0"], in: offline)
    #expect(flat(text).contains("no response from http://127.0.0.1:1"))
    #expect(!text.contains("Store the service key"))
  }

  /// After each prompt, exactly the steps before it are stored.
  @Test(arguments: all.indices) func ctrlCKeepsWhatIsStored(_ index: Int) throws {
    var last = Self.all[index]
    last.typed = "\u{3}"
    _ = try run(Self.all[..<index] + [last], status: 130)
    let shown = try home.run("profile", "show", "default", "--json", "--fields", "settings,credentials,tracked").text
    #expect(shown.contains(#""service":"lampost""#) == (index > 0))
    #expect(shown.contains("service_key") == (index > 2))
    #expect(shown.contains("user_token") == (index > 4))
    #expect(shown.contains(#""tracked":0"#))
    #expect(try home.isIntact())
  }

  @Test func anExistingProfileIsShownAndKept() throws {
    #expect(try home.run("profile", "set", "default", "--service", "lampost").status == 0)
    let before = try contents(of: home)
    let service = Step(prompt: "service slug [lampost] (? opens the page): ", typed: "")
    let text = try run(
      [service] + [Self.serviceKey, Self.user, Self.activation, Self.connections].map(Self.skipped))
    let plain = text.replacing(#/\x{1b}\[[0-9;]*m/#, with: "")
    #expect(plain.contains("SERVICE:      lampost"))
    #expect(text.contains("https://platform.ifttt.com/services/lampost/api"))
    #expect(try contents(of: home) == before)
  }

  @Test func aDryRunStoresNothing() throws {
    let text = try run(
      [Self.service, Self.serviceKey, Self.user, Self.accessToken, Self.connections],
      [
        "init", "--dry-run",
      ])
    #expect(text.contains("Would change profile 'default'.") && text.contains("POST"))
    #expect(!text.contains("Stored "))
    #expect(home.folder.names == [])
  }

  @Test func withoutATerminalTheCommandsAreListed() throws {
    let outcome = try home.run("init")
    #expect(outcome.status == 2 && outcome.text.isEmpty)
    #expect(
      outcome.errors == """
        ifttt: 'init' needs a terminal
          - ifttt profile set default --service SLUG --service-key-file FILE
          - ifttt token exchange --user-id ID --access-token-file FILE
          - ifttt connections add ID
          - ifttt connections list
          In a script, run the listed commands instead, with your own values.

        """)
    #expect(try home.run("--profile", "work", "init", "--json").code == "usage")
    #expect(home.folder.names == [])
  }

  @Test func theSandboxNeedsNoSetup() throws {
    let outcome = try home.run("--profile", "sandbox", "init")
    #expect(outcome.status == 1 && outcome.errors.hasPrefix("ifttt: profile 'sandbox' needs no setup\n"))
  }

  /// Help points to the setup until something is set up.
  @Test func helpPointsToTheSetupOfANewStore() throws {
    let hint = "To set up your own service: ifttt init\n"
    #expect(try home.run().text.contains(hint))
    #expect(home.folder.names == [])
    #expect(try home.run("--profile", "sandbox", "connections", "list").status == 0)
    #expect(try home.run().text.contains(hint))
    #expect(try home.run("profile", "create", "work").status == 0)
    #expect(try !home.run().text.contains(hint))
    #expect(try home.run().text.contains("--profile sandbox connections list"))
  }
}
