import ProgramDriver
import Support
import Testing

@testable import Session

/// The language of the connect flow.
@Suite struct LocaleTests {
  /// The label of an enabled connection's button.
  private func label(_ options: String = "", _ environment: [String: String] = [:]) -> String {
    let home = Home()
    home.environment = environment
    let drawn = home.sandbox("connections button Kd7Rn2Qx --no-footer \(options)")
    #expect(drawn.exit == .success, "\(drawn.errors)")
    return drawn.lines.dropFirst().first.map { String($0.filter { $0.isLetter }) } ?? ""
  }

  @Test(arguments: [
    ("de", "Verbunden"), ("DE_at.UTF-8", "Verbunden"), ("pt", "Conectado"), ("pt-AO", "Ligado"), ("no", "Tilkoblet"),
    ("ja", "連携済み"), ("he", "Connected"), ("C", "Connected"),
  ])
  func optionIsUsed(tag: String, expected: String) { #expect(label("--locale \(tag)").hasPrefix(expected)) }

  @Test(arguments: [
    (["LC_ALL": "sv_SE.UTF-8", "LC_MESSAGES": "de_DE", "LANG": "fr_FR"], "Ansluten"),
    (["LC_MESSAGES": "de_DE.UTF-8", "LANG": "fr_FR"], "Verbunden"), (["LANG": "fr_FR@euro"], "Connecté"),
    (["LC_ALL": "", "LANG": "pl_PL"], "Połączono"), (["LC_ALL": "C.UTF-8", "LANG": "pl_PL"], "Connected"),
    (["LC_ALL": "he_IL", "LANG": "pl_PL"], "Połączono"), (["LANG": "not a tag"], "Connected"), ([:], "Connected"),
  ])
  func environmentIsUsed(variables: [String: String], expected: String) {
    #expect(label("", variables).hasPrefix(expected))
  }

  @Test func theOptionIsFirst() { #expect(label("--locale it", ["LC_ALL": "sv_SE"]).hasPrefix("Connesso")) }

  @Test(arguments: ["''", "'de DE'", "-", "german!", "/etc", "1"]) func anInvalidTagIsAUsageError(tag: String) {
    let refused = Home().sandbox("connections button Kd7Rn2Qx --locale=\(tag)")
    #expect(refused.exit == .usage)
    #expect(refused.errors.contains("expected a language tag such as 'fr-CA'"))
    #expect(refused.output == "")
  }

  /// Only the connect flow is translated.
  @Test func errorsStayEnglish() {
    let missing = Home().sandbox("connections button nope --locale de")
    #expect(missing.notes.first == "ifttt: no connection 'nope', or these credentials cannot access it")
  }
}
