import Foundation
import Support
import Testing

/// The sources of the store's key, with real programs and a real terminal.
@Suite struct KeySourceProgramTests {
  let home = Home()
  private let bin = TemporaryFolder()
  private let key = String(repeating: "0123456789abcdef", count: 4)

  private func save(_ more: [String: String] = [:]) throws -> Home.Outcome {
    try home.run(["token", "set", "--user-token-file", "-", "--json"], more, input: Known.userToken + "\n")
  }

  private func shown(_ more: [String: String] = [:]) throws -> Home.Outcome {
    try home.run(["token", "show", "--print"], more)
  }

  private func keySource() throws -> String {
    try home.run("store", "info", "-o", "tsv", "--no-header", "--fields", "key_source").text
  }

  /// Install a program that comes first on PATH.
  ///
  /// A separate process writes the file. Otherwise, a program started by another test at the same time would inherit
  /// the open file, and then the file could not be executed.
  private func install(_ name: String, _ script: String) throws {
    let source = bin.write(name + ".sh", "#!/bin/sh\n" + script)
    let outcome = try Tool.required("install").run(["-m", "700", source, bin[name]], in: ScratchFolder())
    #expect(outcome.status == 0, "\(outcome.errors)")
    home.environment["PATH"] = "\(bin.path):/usr/bin:/bin"
  }

  private func command(_ words: String...) -> [String: String] {
    let list = words.map { "\"\($0)\"" }.joined(separator: ",")
    return ["IFTTT_STORE_KEY_COMMAND": "[\(list)]"]
  }

  @Test func aKeyCommandSuppliesTheKey() throws {
    try install("give-key", "echo some words >&2\nprintf '%s\\n' \"$1\"\n")
    #expect(try save(command("give-key", key)).status == 0)
    let outcome = try shown(command("give-key", key))
    #expect(outcome.text == Known.userToken + "\n")
    // Its stderr is shown to the user, but its output is not.
    #expect(outcome.errors == "some words\n")
    #expect(try shown().code == nil)
    #expect(try shown().status == 7)
    let other = try shown(command("give-key", String(key.reversed())))
    #expect(other.status == 7)
    #expect(other.errors.contains("encrypted with key"))
  }

  @Test(arguments: [
    ("exit 3", "exited with status 3"), ("echo \(Known.accessToken)", "does not provide a key"),
    ("head -c 100000 /dev/zero", "does not provide a key"), ("kill -9 $$", "exited with status 137"),
  ])
  func aFailingKeyCommandIsReported(_ script: String, _ words: String) throws {
    try install("give-key", script + "\n")
    let outcome = try save(command("give-key"))
    #expect(outcome.status == 7)
    #expect(outcome.code == "store_key_missing")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
    #expect(!outcome.errors.contains(Known.accessToken))
    #expect(try home.run("token", "list", "--json").text == "[]\n")
    // No other source is used instead.
    #expect(!home.folder.names.contains { $0.hasSuffix(".key") })
  }

  @Test func aMissingKeyCommandIsReported() throws {
    let outcome = try save(command("no-such-program-here"))
    #expect(outcome.code == "store_key_missing")
    #expect(outcome.errors.contains("no-such-program-here is installed"))
  }

  @Test func ctrlCEndsAKeyCommandThatHangs() throws {
    let pipe = bin["pipe"]
    mkfifo(pipe, 0o600)
    try install("give-key", "echo waiting >&2\nread line < \(pipe)\n")
    let running = try home.start(["token", "set", "--user-token-file", "-"], command("give-key"))
    running.type(Known.userToken + "\n")
    running.endInput()
    running.read(until: "waiting", from: running.errors)
    running.signal(2)
    #expect(running.wait() == 130, "\(running.readToEnd(running.errors))")
    #expect(try home.run("token", "list", "--json").text == "[]\n")
  }

  /// A script that behaves like `secret-tool`, with one file per key.
  private var secretTool: String {
    """
    kept="\(bin.path)/kept-$(for word; do case $word in --*|store|lookup|clear) ;; *) printf '%s.' "$word";; esac; done)"
    case $1 in
      store) cat >"$kept" ;;
      lookup) cat "$kept" 2>/dev/null ;;
      clear) rm "$kept" ;;
    esac

    """
  }

  @Test func theSecretServiceStoresTheKey() throws {
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    try install("secret-tool", secretTool)
    #expect(try save().status == 0)
    #expect(try keySource().hasPrefix("secret service (key "))
    #expect(try shown().text == Known.userToken + "\n")
    #expect(bin.names.filter { $0.hasPrefix("kept-application.ifttt.key.") }.count == 1)
    #expect(!home.folder.names.contains { $0.hasSuffix(".key") })
    try install("secret-tool", "exit 1\n")
    let locked = try shown()
    #expect(locked.status == 7)
    #expect(locked.errors.contains("Unlock it"))
    try install("secret-tool", secretTool)
    #expect(try home.run("store", "rekey").status == 0)
    #expect(!bin.names.contains { $0.hasPrefix("kept-") })
    #expect(try shown().text == Known.userToken + "\n")
    #expect(try home.run("store", "rekey", "--secret-service").status == 0)
    #expect(try shown().text == Known.userToken + "\n")
    #expect(!home.folder.names.contains { $0.hasSuffix(".key") })
    #expect(try home.isIntact())
  }

  @Test func aSecretServiceThatHangsTimesOut() throws {
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    try install("secret-tool", secretTool)
    #expect(try save().status == 0)
    let pipe = bin["pipe"]
    mkfifo(pipe, 0o600)
    try install("secret-tool", "read line < \(pipe)\n")
    let hanging = try shown()
    #expect(hanging.status == 7)
    #expect(hanging.errors.contains("did not respond within 3 s"), "\(hanging.errors)")
  }

  @Test func withoutSecretToolAKeyFileIsCreatedAndRekeyFails() throws {
    home.environment["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=/nowhere"
    home.environment["PATH"] = bin.path
    #expect(try save().status == 0)
    #expect(try keySource().hasPrefix("key file ("))
    let refused = try home.run("store", "rekey", "--secret-service", "--json")
    #expect(refused.code == "store_key_missing")
    #expect(refused.errors.contains("secret-tool, which accesses the secret service, is not installed"))
    #expect(try shown().text == Known.userToken + "\n")
  }

  @Test func aPassphraseIsReadOnATerminal() throws {
    #expect(try save().status == 0)
    let rekey = try home.start(onTerminal: ["store", "rekey", "--passphrase"])
    rekey.answer("new store passphrase: ", "correct horse")
    rekey.answer("new store passphrase (again): ", "correct horse")
    let rest = rekey.read(until: "status 0")
    #expect(rest.hasSuffix("status 0"), "\(rest)")
    #expect(!rest.contains("correct horse"))
    rekey.type("\n")
    let show = try home.start(onTerminal: ["token", "show", "--print"])
    show.answer("store passphrase: ", "correct horse")
    #expect(show.read(until: "status 0").contains(Known.userToken))
    show.type("\n")
    let wrong = try home.start(onTerminal: ["token", "show", "--print"])
    wrong.answer("store passphrase: ", "wrong horse")
    #expect(wrong.read(until: "status 7").contains("encrypted with key"))
    wrong.type("\n")
    let gone = try home.start(onTerminal: ["token", "show", "--print"])
    gone.answer("store passphrase: ", "\u{3}", end: "")
    #expect(gone.read(until: "status 130").hasSuffix("status 130"))
    #expect(gone.echoes)
    gone.type("\n")
    // Without a way to type a passphrase, the error names the file.
    let script = try shown()
    #expect(script.status == 7)
    #expect(script.errors.contains("IFTTT_STORE_PASSPHRASE_FILE"))
    bin.write("passphrase", "correct horse\n")
    #expect(try shown(["IFTTT_STORE_PASSPHRASE_FILE": bin["passphrase"]]).text == Known.userToken + "\n")
  }

  @Test func differentPassphrasesChangeNothing() throws {
    #expect(try save().status == 0)
    let rekey = try home.start(onTerminal: ["store", "rekey", "--passphrase"])
    rekey.answer("new store passphrase: ", "correct horse")
    rekey.answer("new store passphrase (again): ", "correct house")
    #expect(rekey.read(until: "status 7").contains("the two passphrases differ"))
    rekey.type("\n")
    #expect(try shown().text == Known.userToken + "\n")
    #expect(try home.run("store", "rekey", "--passphrase").status == 7)
  }

  @Test func sixteenConcurrentRekeysLeaveOneKey() throws {
    #expect(try save().status == 0)
    let running = try (0..<16).map { number in
      try home.start(number % 2 == 0 ? ["store", "rekey", "-q"] : ["token", "show", "--print"])
    }
    for (number, one) in running.enumerated() {
      let text = one.readToEnd()
      #expect(one.wait() == 0, "\(one.readToEnd(one.errors))")
      if number % 2 == 1 { #expect(text == Known.userToken + "\n") }
    }
    #expect(home.folder.names.filter { $0.hasSuffix(".key") }.count == 1)
    #expect(try home.isIntact())
  }
}

extension Running {
  /// Wait for a prompt and for echo to be disabled, and then type.
  fileprivate func answer(_ prompt: String, _ text: String, end: String = "\n") {
    read(until: prompt)
    waitUntil(!echoes)
    type(text + end)
  }
}
