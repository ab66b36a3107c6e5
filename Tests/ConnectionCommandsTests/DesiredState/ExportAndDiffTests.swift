import ProgramDriver
import Support
import Testing

@testable import Session

/// The state of connections as a file, and its comparison with IFTTT.
@Suite struct ExportAndDiffTests {
  private func diff(_ text: String, _ options: String = "", in home: Home = Home()) -> Home.Outcome {
    let file = home.folder.write("connections.json", text)
    return home.sandbox("connections diff \(file) --json \(options)")
  }

  private func file(_ connections: String) -> String { #"{"version":1,"connections":[\#(connections)]}"# }

  @Test func anExportHasNoDifference() throws {
    let home = Home()
    let exported = home.sandbox("connections export --all")
    #expect(exported.exit == .success && exported.errors == "")
    #expect(exported.output.hasPrefix("{\n  \"version\": 1,\n  \"connections\": [\n"))
    #expect(exported.output == home.sandbox("connections export --all --max-age 0").output)
    let compared = diff(exported.output, "--exit-code", in: home)
    #expect(compared.output == "[]\n")
    #expect(compared.exit == .success, "\(compared.errors)")
  }

  /// Also if the change was made with other credentials than those that the cache belongs to.
  @Test func aChangeIsADifferenceAtOnce() {
    let home = Home()
    let exported = home.sandbox("connections export --all").output
    let disabled = home.sandbox("connections disable Kd7Rn2Qx --yes")
    #expect(disabled.exit == .success, "\(disabled.errors)")
    let compared = diff(exported, in: home)
    #expect(
      compared.output == """
        [
        {"id":"Kd7Rn2Qx","field":null,"change":"enabled","wanted":"enabled","present":"disabled"}
        ]

        """)
    #expect(home.sandbox("connections enable Kd7Rn2Qx --yes").exit == .success)
    #expect(diff(exported, in: home).output == "[]\n")
  }

  @Test func aConnectionThatCannotBeReadLeavesNoFile() {
    let exported = Home().sandbox("connections export Kd7Rn2Qx nope")
    #expect(exported.output == "" && exported.exit == .partial)
    #expect(
      exported.errors.contains("1 of 2 connections could not be read\n  a file without them would look complete\n"))
    #expect(exported.errors.contains("- nope: no connection 'nope'"))
  }

  @Test func differencesAreRowsAndAnExitCode() {
    let desired = #"""
      {"id":"Kd7Rn2Qx","status":"disabled","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"Evening"}}]}
      """#
    let compared = diff(file(desired), "--exit-code")
    #expect(
      compared.output == """
        [
        {"id":"Kd7Rn2Qx","field":"mw4tq9hzjc.scene","change":"changed","wanted":"sc_01","present":"sc_04"},
        {"id":"Kd7Rn2Qx","field":null,"change":"disabled","wanted":"disabled","present":"enabled"}
        ]

        """)
    #expect(compared.exit == .notYet && compared.errors.contains("2 differences"))
    #expect(diff(file(desired)).exit == .success)
  }

  @Test(arguments: [
    (#"{"id":"Kd7Rn2Qx","x":1}"#, "connections[0].x: the key is not one of id, name, status, pending, features"),
    (
      #"{"id":"Kd7Rn2Qx","features":[{"feature":"mw4tq9hzjc","fields":{"scene":"Dusk"}}]}"#,
      "connections[0].features[0].fields.scene: 'Dusk' is not an option; available:"
    ),
    (#"{"id":"Kd7Rn2Qx","features":[{"feature":"f"}]}"#, "connections[0].features[0].feature: the connection's"),
    (#"{"id":"Ud6Jn1Gs","status":"enabled"}"#, "connection 'Ud6Jn1Gs' was never enabled"),
  ])
  func whatCannotBeAppliedIsAnError(_ desired: String, _ message: String) {
    let compared = diff(file(desired))
    #expect(compared.exit == .failure && compared.errors.contains(message), "\(compared.errors)")
  }

  @Test func whatHasNoEffectIsNamed() {
    let compared = diff(
      file(
        #"{"id":"Kd7Rn2Qx","status":"never_enabled"},{"id":"Xe2Gf9Ln","features":[{"feature":"f"}]},"#
          + #"{"id":"nope","status":"unknown"}"#))
    #expect(compared.errors.contains("is never_enabled in the file, which no request can set"))
    #expect(compared.errors.contains("The settings of connection 'Xe2Gf9Ln' are not compared"))
    #expect(compared.exit == .partial, "one does not exist")
  }

  @Test func nothingIsSentForAWrongFile() {
    let home = Home()
    let wrong = home.folder.write("connections.json", file(#"{"id":"a"},{"id":"a"}"#))
    let compared = home.run("connections diff \(wrong)", answers: Server())
    #expect(compared.errors.contains("connections[1].id: connections[0] has the same id"))
    #expect(compared.exit == .failure)
  }
}
