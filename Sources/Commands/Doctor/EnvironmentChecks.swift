import CommandLine
import Plugins
import Session
import Text
import World

extension DoctorCheck {
  /// Checks for variables with invalid values, and for misspelled names.
  static var environment: DoctorCheck {
    DoctorCheck(name: "environment") { context in
      let check = VariableCheck(context)
      let failures = check.failures
      let warnings = check.warnings + check.misspelled
      let all = failures + warnings
      guard !all.isEmpty else { return .ok(check.confirmation) }
      let (found, advice) = (all.map(\.found).joined(separator: "; "), Hint.joined(all.map(\.advice)) ?? "")
      return failures.isEmpty ? .warning(found, advice) : .failure(found, advice)
    }
  }
}

extension DoctorCheck {
  /// Names the profile and what selects it, since a folder can select one without a word on the command line.
  static var profile: DoctorCheck {
    DoctorCheck(name: "profile") { context in
      let access = context.session.storage
      let (name, origin) = (try access.profileName, try access.profileOrigin)
      _ = try access.profile
      var found = "'\(name)'"
      if name.description != origin { found += ", selected by \(origin)" }
      let isOverridden = !(context.world.environment[.service] ?? "").isEmpty
      if !isOverridden, let folder = try access.folder, let service = folder.service {
        found += "; service '\(service)' from \(folder.path)"
      }
      return .ok(found)
    }
  }
}

private struct VariableCheck {
  typealias Finding = (found: String, advice: Hint)

  let context: DiagnosticContext

  init(_ context: DiagnosticContext) { self.context = context }

  private static let certificates: [EnvironmentVariable] = [.certificateBundle, .certificateFile, .certificateFolder]
  private static let files: [EnvironmentVariable] = [.storeKeyFile, .storePassphraseFile]
  private static let secrets: [EnvironmentVariable] = [
    .userToken, .serviceKey, .accessToken, .oauthCode, .inviteCode, .webhooksKey,
  ]
  private static let folders: [EnvironmentVariable] = [.configFolder, .dataFolder, .stateFolder, .cacheFolder]

  private func value(_ variable: EnvironmentVariable) -> String? {
    context.world.environment[variable].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Paths that do not exist.
  var failures: [Finding] {
    func missing(_ variables: [EnvironmentVariable], _ advice: String) -> [Finding] {
      variables.compactMap { name in
        guard let path = value(name), !context.exists(path) else { return nil }
        return ("\(name) is set to \(path), which does not exist", "Unset \(name), or \(advice).")
      }
    }
    return missing(Self.certificates, "set it to an existing path") + missing(Self.files, "create the file")
  }

  /// Values that have no effect or an unexpected one.
  var warnings: [Finding] {
    var found: [Finding] = Self.secrets.compactMap { name in
      guard let text = value(name), text.first?.isWhitespace == true || text.last?.isWhitespace == true else {
        return nil
      }
      return ("\(name) begins or ends with whitespace", "Set it to the secret only.")
    }
    if let file = value(.tlsKeyLog) {
      found.append(
        (
          "SSLKEYLOGFILE is set: libcurl writes keys to \(file) that decrypt a recording of the traffic",
          "Unset SSLKEYLOGFILE."
        ))
    }
    if let home = value(.directory), !home.hasPrefix("/") {
      found.append(
        (
          "IFTTT_HOME is a relative path, so it depends on the current folder",
          "Set it to a path that begins with '/'."
        ))
    }
    found += Self.folders.compactMap { name in
      guard let path = value(name), !path.hasPrefix("/") else { return nil }
      return ("\(name) is not an absolute path and is ignored", "Set it to a path that begins with '/'.")
    }
    if value(.httpProxy) != nil, value(.lowercaseHTTPProxy) == nil {
      found.append(
        ("HTTP_PROXY in uppercase is ignored, as in curl", "Set HTTPS_PROXY for IFTTT's hosts, or http_proxy."))
    }
    return found
  }

  /// The prefix of the names of the program's own variables.
  private static let prefix = String(EnvironmentVariable.profile.name.prefix { $0 != "_" }) + "_"

  /// Variables with the program's prefix that neither it nor a plugin reads.
  var misspelled: [Finding] {
    let own = EnvironmentVariable.allCases.map(\.name).filter { $0.hasPrefix(Self.prefix) }
    let known = own + context.session.plugins.discovery.variables
    return context.world.environment.names.filter { $0.hasPrefix(Self.prefix) && !known.contains($0) }.sorted().map {
      name in
      func folded(_ name: String) -> String { String(name.uppercased().filter { $0 != "_" }) }
      let similar = known.first { folded($0) == folded(name) } ?? NearestNames.of(name, among: known).first
      return (
        "\(name) is not a variable of ifttt or of its plugins",
        similar.map { "Did you mean \($0)?" } ?? "Unset it; see \(ifttt: "help environment")."
      )
    }
  }

  /// The finding if there are no failures and no warnings.
  var confirmation: String {
    let checked =
      Self.certificates + Self.files + Self.secrets + [.directory] + Self.folders + [.httpProxy]
    let valid = checked.filter { value($0) != nil }.map(\.name)
    let unknown = "no unknown \(Self.prefix) variables"
    return valid.isEmpty ? unknown : "valid: \(valid.joined(separator: ", ")); \(unknown)"
  }
}

extension DoctorCheck {
  /// Checks that the terminal and the locale can display the output.
  static var terminal: DoctorCheck {
    DoctorCheck(name: "terminal") { context in
      let world = context.world
      if world.terminal.outputIsTerminal {
        switch world.environment[.terminal] ?? "" {
        case "": return .warning("TERM is not set", "Set it to the terminal's name, such as xterm-256color.")
        case "dumb":
          return .warning(
            "TERM is dumb: no color, and nothing is redrawn", "Set TERM to the terminal's name if it supports more.")
        default: break
        }
      }
      let variables: [EnvironmentVariable] = [.localeAll, .localeCharacters, .locale]
      guard let name = variables.first(where: { world.environment[$0]?.isEmpty == false }),
        let locale = world.environment[name]
      else {
        return .warning(
          "no locale is set, so the terminal may not expect UTF-8", "Set LC_ALL to C.UTF-8 or to your locale.")
      }
      let encoding = locale.lowercased().filter { $0 != "-" }
      guard encoding.includes("utf8") else {
        return .warning(
          "\(name)=\(locale) is not UTF-8", "Set LC_ALL=C.UTF-8; otherwise names may be shown incorrectly.")
      }
      return .ok("\(name)=\(locale)")
    }
  }
}
