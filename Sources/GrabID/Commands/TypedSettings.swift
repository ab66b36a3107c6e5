import PluginProtocol
import Text
import World

extension CommandCall {
  /// Whether a switch was passed.
  func isSet(_ name: String) -> Bool { flag(name) ?? false }

  /// The option's value as one of a closed set.
  /// - Throws: ``GrabError`` for any other value.
  func choice<Choice: RawRepresentable & CaseIterable>(_ name: String, _ type: Choice.Type) throws(GrabError)
    -> Choice?
  where Choice.RawValue == String {
    guard let text = option(name) else { return nil }
    guard let choice = Choice(rawValue: text) else {
      let all = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw GrabError(.badSetting, "--\(name) must be one of \(all)")
    }
    return choice
  }

  /// The option's value in seconds: an integer, optionally followed by `s`, `m`, `h` or `d`.
  func seconds(_ name: String) throws(GrabError) -> Int? {
    guard let text = option(name) else { return nil }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
    let unit = text.last.flatMap { units[$0] }
    guard let number = UInt32(unit == nil ? text[...] : text.dropLast()), !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) must be a duration, such as 90s or 5m")
    }
    return Int(number) * (unit ?? 1)
  }

  /// The option's value as a port.
  /// - Throws: ``GrabError`` for an invalid port.
  func port(_ name: String) throws(GrabError) -> Int? {
    guard let text = option(name) else { return nil }
    guard let port = UInt16(text), port > 0, !text.hasPrefix("+") else {
      throw GrabError(.badSetting, "--\(name) must be a number from 1 to 65535")
    }
    return Int(port)
  }
}

extension GrabWorld {
  /// The complete settings for a command: from options, then the environment, an app's configuration, and the
  /// profile.
  func settings(for call: CommandCall) throws -> GrabSettings {
    let typed = try typedSettings(call)
    let variables = try GrabSettings(variables: environment)
    let app = try appSettings(call)
    return typed.overriding(variables).overriding(app).overriding(try storedSettings())
  }

  private func typedSettings(_ call: CommandCall) throws -> GrabSettings {
    var settings = GrabSettings()
    settings.clientID = call.option("client-id")
    settings.redirectURI = try call.option("redirect-uri").map { try GrabRedirectURI(parsing: $0) }
    if call.options["scope"] != nil { settings.scope = try Scope(parsing: call.list("scope")) }
    settings.discoveryURL = call.option("discovery-url")
    if let environment = try call.choice("environment", GrabEnvironment.self) {
      guard settings.discoveryURL == nil else {
        throw GrabError(.badSetting, "--environment and --discovery-url cannot be combined")
      }
      settings.discoveryURL = environment.discoveryURL
    }
    settings.issuer = call.option("issuer")
    settings.partnerID = call.option("partner-id")
    settings.acrValues = try call.list("acr-value").map { try ACRValue(parsing: $0) }
    settings.loginHint = call.option("login-hint")
    settings.prompt = call.option("prompt")
    settings.interfaceLocales = call.option("ui-locales")
    if let claims = call.option("claims") {
      guard (try? StrictJSON.object(Array(claims.utf8))) != nil else {
        throw GrabError(.badSetting, "--claims is not a JSON object (OpenID Connect Core §5.5)")
      }
      settings.claims = claims
    }
    settings.maximumAge = try call.seconds("max-auth-age")
    settings.parameters = try call.list("param").map { text in
      let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard halves.count == 2, !halves[0].isEmpty else { throw GrabError(.badSetting, "--param must be NAME=VALUE") }
      return (halves[0], halves[1])
    }
    let names = settings.parameters.map(\.name)
    if let repeated = names.first(where: { name in names.filter { ExactText.same($0, name) }.count > 1 }) {
      throw GrabError(
        .badSetting, "--param sets \(DisplayText.shown(repeated, limit: 40)) twice",
        reason: "no parameter of an authorization request may be repeated (RFC 6749 §3.1)", hint: "Pass it once.")
    }
    settings.tokenRequest = try call.choice("token-request", GrabSettings.TokenRequest.self)
    settings.tokenInfoRequest = try call.choice("token-info-request", GrabSettings.TokenInfoRequest.self)
    settings.remoteVerification = try call.choice("verify-remote", GrabSettings.RemoteVerification.self)
    settings.trustedAudiences = call.list("trusted-audience")
    settings.moreAlgorithms = try call.list("algorithm").map { name in
      guard let algorithm = SignatureAlgorithm(rawValue: name) else {
        throw GrabError(.badSetting, "--algorithm must be one of PS256, EdDSA")
      }
      return algorithm
    }
    settings.clockAllowance = try call.seconds("clock-allowance")
    settings.requiresPKCE = call.flag("require-pkce")
    settings.requiresACR = call.flag("require-acr")
    settings.strictKeyID = call.flag("strict-kid")
    try readSecrets(call, into: &settings)
    return settings
  }

  /// Reads the settings that must not be on a command line from files or stdin.
  private func readSecrets(_ call: CommandCall, into settings: inout GrabSettings) throws {
    settings.clientSecret = try secret(call, "client-secret-file")
    settings.request = try secret(call, "request-file")
    settings.idTokenHint = try secret(call, "id-token-hint-file")
    if let value = call.option("id-token-hint") {
      guard value == "stored" else {
        throw GrabError(
          .badSetting, "--id-token-hint accepts only the value stored",
          hint: "A token must not be on a command line: save it to a file, and pass that with --id-token-hint-file.")
      }
      let account = try AccountStore(world: self).account(named: call.option("account"))
      guard let hint = account?.tokens?.id else { throw AccountStore.notSignedIn(account) }
      settings.idTokenHint = hint
    }
  }

  private func secret(_ call: CommandCall, _ option: String) throws -> Secret? {
    guard let path = call.option(option) else { return nil }
    let bytes = path == "-" ? Array(try host.input().utf8) : try content(of: path, option: option)
    do throws(InvalidSecret) { return try Secret(file: bytes) } catch {
      switch error {
      case .empty, .controlCharacters:
        throw GrabError(.badSetting, "--\(option): the file is empty or has more than one line")
      default: throw GrabError(.badSetting, "--\(option): the file \(error.predicate)")
      }
    }
  }

  private func content(of path: String, option: String) throws(GrabError) -> [UInt8] {
    do { return try files.read(path, limit: 64 << 10) } catch {
      throw GrabError(.badSetting, "--\(option): the file cannot be read", reason: "\(error)")
    }
  }

  private func appSettings(_ call: CommandCall) throws -> GrabSettings {
    let app: AppSettings
    switch (call.option("from-plist"), call.option("from-manifest")) {
    case (nil, nil): return GrabSettings()
    case (let path?, nil): app = try AppSettings(propertyList: try file(path))
    case (nil, let path?): app = try AppSettings(manifest: try file(path))
    default: throw GrabError(.badSetting, "--from-plist and --from-manifest cannot be combined")
    }
    for note in app.notes { host.note(.warning, note) }
    return app.settings
  }

  private func file(_ path: String) throws(GrabError) -> [UInt8] {
    do { return try files.read(path, limit: 1 << 20) } catch {
      throw GrabError(.noAppFile, "the app's configuration cannot be read", reason: "\(error)")
    }
  }
}
