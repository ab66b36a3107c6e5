import Foundation
import Support
import Testing

/// Credentials that a program prints, such as a password manager.
@Suite struct CredentialCommandTests {
  private let server: Server
  private let home: Home
  private let bin = TemporaryFolder()

  init() throws {
    server = try Server()
    home = Home(server)
    home.environment["PATH"] = "\(bin.path):/usr/bin:/bin"
    // Each run leaves a line. `entry` is what it prints, and `status` how it ends.
    try install(
      """
      echo "$*" >>'\(bin["runs"])'
      env >'\(bin["environment"])'
      echo 'the vault is locked' >&2
      cat '\(bin.path)'/"$2"
      exit "$(cat '\(bin["status"])' 2>/dev/null || echo 0)"
      """)
  }

  /// Install the stand-in for a password manager. A separate process writes the file; see ``KeySourceProgramTests``.
  private func install(_ script: String) throws {
    let source = bin.write("vault.sh", "#!/bin/sh\n" + script + "\n")
    let outcome = try Tool.required("install").run(["-m", "700", source, bin["vault"]], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private var runs: [String] { (bin.text("runs") ?? "").split(separator: "\n").map(String.init) }

  private func set(_ option: String, _ words: String...) throws -> Home.Outcome {
    try home.run(["profile", "set", "default", "--user-id", Known.user, option, "--json", "--"] + words)
  }

  @Test func aServiceKeyIsPrintedWhenItIsNeeded() throws {
    bin.write("key", Known.serviceKey + "\nuser: kai\n")
    let saved = try set("--service-key-command", "vault", "show", "key")
    #expect(
      saved.status == 0 && saved.text.contains(#"{"credential":"service_key","command":"vault show key"}"#), "\(saved)")
    #expect(runs.isEmpty)
    home.environment["VAULT_ADDR"] = "https://vault.example"
    home.environment["IFTTT_INVITE_CODE"] = "lantern"
    let fetched = try home.run("connections", "add", "Kd7Rn2Qx", "Fq3Lw8Zt", "--as", "service")
    #expect(fetched.status == 0 && fetched.errors.contains("the vault is locked"), "\(fetched)")
    #expect(runs == ["show key"], "once for two requests")
    #expect(try server.requests().map { $0.header("IFTTT-Service-Key") } == [Known.serviceKey, Known.serviceKey])
    // A list of connections that were just fetched sends nothing.
    #expect(try home.run("connections", "list", "--as", "service").status == 0)
    #expect(runs.count == 1)
    let environment = try #require(bin.text("environment"))
    #expect(environment.contains("VAULT_ADDR=https://vault.example\n") && !environment.contains("IFTTT_"))
    // The environment and an option are used first.
    _ = try home.run(["token", "verify", "--as", "service"], Known.asService)
    #expect(runs.count == 1)
  }

  @Test func aTokenOfTheProfilesUserIsPrinted() throws {
    bin.write("token", Known.userToken)
    #expect(try set("--user-token-command", "vault", "show", "token").status == 0)
    let shown = try home.run("connections", "show", "Kd7Rn2Qx", "--as", "user")
    #expect(shown.status == 0, "\(shown.errors)")
    #expect(try server.requests().last?.level == "user")
    let other = try home.run("connections", "show", "Kd7Rn2Qx", "--as", "user", "--user-id", "u-7304", "--json")
    #expect(other.code == "credentials_missing")
    #expect(runs.count == 1)
  }

  @Test func anAccessTokenIsExchanged() throws {
    bin.write("access", Known.accessToken)
    #expect(try set("--access-token-command", "vault", "show", "access").status == 0)
    let outcome = try home.run(["token", "exchange", "--print", "--no-save"], Known.asService)
    #expect(outcome.text == Known.userToken + "\n", "\(outcome.errors)")
  }

  @Test(arguments: [
    ("exit 3", "vault exited with status 3"), ("echo \(Known.accessToken); exit 1", "vault exited with status 1"),
    ("printf 'a\\0b\\n'", "the output of vault does not contain a service key"),
    ("true", "the output of vault does not contain a service key"), ("kill -9 $$", "vault exited with status 137"),
  ])
  func aFailureShowsNoOutput(_ script: String, _ reason: String) throws {
    try install("echo 'the vault is locked' >&2\n\(script)")
    #expect(try set("--service-key-command", "vault", "show", "a key").status == 0)
    let outcome = try home.run("token", "verify", "--as", "service", "--json")
    #expect(outcome.status == 4 && outcome.code == "credentials_missing", "\(outcome)")
    #expect(outcome.errors.hasPrefix("the vault is locked\n") && outcome.errors.contains(reason), "\(outcome.errors)")
    #expect(!outcome.errors.contains(Known.accessToken) && outcome.text.isEmpty)
    #expect(try server.requests().isEmpty)
  }

  /// A rejected credential is named by its source.
  @Test func aRejectedKeyIsNamedByItsProgram() throws {
    bin.write("key", "wrong-key-0123456789")
    #expect(try set("--service-key-command", "vault", "show", "key").status == 0)
    let outcome = try home.run("token", "verify", "--as", "service")
    #expect(outcome.errors.contains("the service key from the output of vault"), "\(outcome.errors)")
    #expect(!outcome.errors.contains("wrong-key"))
  }

  /// A store from elsewhere, such as a backup, determines no program that is run here.
  @Test func theProgramIsNotInTheStore() throws {
    #expect(try set("--service-key-command", "vault", "show", "key").status == 0)
    for name in home.folder.names where name.hasSuffix(".db") || name.hasSuffix("-wal") {
      #expect(FileManager.default.contents(atPath: home.folder[name])?.range(of: Data("vault".utf8)) == nil)
    }
    let path = home.folder["credential-commands.json"]
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
    #expect(try home.run("token", "verify", "--as", "service", "--json").code == "store_permissions")
  }

  /// A relative path would name another program in another folder. The link stays, because some programs read the name
  /// by which they are started.
  @Test func aRelativePathIsStoredAsAnAbsoluteOne() throws {
    try FileManager.default.createSymbolicLink(atPath: home.workplace["here"], withDestinationPath: bin["vault"])
    let path = URL(fileURLWithPath: home.workplace.path).resolvingSymlinksInPath().path + "/here"
    let saved = try set("--service-key-command", "./here", "show", "key")
    #expect(saved.text.contains(#""command":"\#(path) show key""#), "\(saved)")
    bin.write("store", String(repeating: "0f", count: 32) + "\n")
    let rekeyed = try home.run("store", "rekey", "--key-command", "./here", "show", "store", "--json")
    #expect(rekeyed.status == 0, "\(rekeyed)")
    let locations = home.folder.text("store-keys.json") ?? ""
    #expect(locations.contains(#"["\#(path)","show","store"]"#), "\(locations)")
    #expect(try home.run("store", "rekey", "--key-command", "./nowhere", "--json").code == "usage")
  }

  /// Programs that several processes set at once are all kept.
  @Test func concurrentChangesAreKept() throws {
    let names = ["service-key", "user-token", "access-token", "webhooks-key"]
    let running = try names.map { name in
      try home.start(["profile", "set", "default", "--\(name)-command", "--", "vault", "show", name])
    }
    #expect(running.map { $0.wait() } == [0, 0, 0, 0])
    let shown = try home.run("profile", "show", "-o", "jsonl", "--fields", "commands.credential").text
    #expect(shown == #"{"commands.credential":["service_key","user_token","access_token","webhooks_key"]}"# + "\n")
  }

  @Test func aProgramIsRemoved() throws {
    let none = #"{"commands.command":[]}"# + "\n"
    func commands() throws -> String {
      try home.run("profile", "show", "-o", "jsonl", "--fields", "commands.command").text
    }
    #expect(try set("--service-key-command", "vault", "show", "it's").status == 0)
    #expect(try commands() == #"{"commands.command":["vault show 'it'\\''s'"]}"# + "\n")
    #expect(try set("--service-key-command", "").status == 0)
    #expect(try commands() == none)
    // A stored key replaces the program.
    #expect(try set("--service-key-command", "vault").status == 0)
    let stored = try home.run(
      ["profile", "set", "default", "--service-key-file", "-"], input: Known.serviceKey + "\n")
    #expect(stored.status == 0)
    #expect(try commands() == none)
    #expect(try set("--service-key-command", "vault").status == 0)
    #expect(try home.run("profile", "remove", "default", "--yes").status == 0)
    #expect(try commands() == none)
  }

  @Test(arguments: [
    (["--service-key-command"], "--service-key-command needs a program"),
    (["--service-key-command", "--user-token-command", "--", "vault"], "each program needs a run of its own"),
    (["--service-key-command", "--service-key-file", "key", "--", "vault"], "pass either --service-key-file"),
    (["--service-key-command", "--", "no-such-program-here"], "cannot be run"),
    (["--service-key-command", "--", "vault show key"], "--service-key-command vault -- show key"),
    (["vault"], "arguments are accepted only with an option such as --service-key-command"),
  ])
  func aWrongLineIsAUsageError(_ words: [String], _ reason: String) throws {
    let outcome = try home.run(["profile", "set", "default"] + words)
    #expect(outcome.status == 2 && outcome.errors.contains(reason), "\(outcome.errors)")
  }

  /// The real password manager, with a key without passphrase.
  @Test(
    .enabled(if: Tool.isInstalled("pass") && Tool.isInstalled("gpg"), "skipped: needs pass and gnupg"))
  func passPrintsTheKey() throws {
    let vault = TemporaryFolder()
    chmod(vault.path, 0o700)
    home.environment["GNUPGHOME"] = vault.path
    home.environment["PASSWORD_STORE_DIR"] = vault["store"]
    home.environment["HOME"] = vault.path
    let script = """
      gpg --batch --quiet --pinentry-mode loopback --passphrase '' --quick-generate-key kai@example.com default default never
      pass init kai@example.com
      printf '%s\\nslug: lampost\\n' "$KEY" | pass insert --multiline ifttt/key
      """
    let made = try Tool.required("bash").run(
      ["-ec", script], in: ScratchFolder(), environment: home.environment.merging(["KEY": Known.serviceKey]) { $1 })
    #expect(made.status == 0, "\(made)")
    #expect(try set("--service-key-command", "pass", "show", "ifttt/key").status == 0)
    let outcome = try home.run("connections", "add", "Kd7Rn2Qx", "--as", "service")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try server.requests().last?.header("IFTTT-Service-Key") == Known.serviceKey)
    _ = try Tool.required("gpgconf").run(["--kill", "all"], in: ScratchFolder(), environment: home.environment)
  }
}
