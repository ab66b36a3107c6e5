import Commands
import HTTP
import Support
import Testing
import World

/// `configure --skip` with settings: they are looked at before a browser is opened.
@Suite struct ConfigureSkipTests {
  let activator = Activator()

  private static let unknown = Lamps.connection(nil, status: "unknown")

  /// All of this shows without knowing the user.
  @Test(arguments: [
    ("--set ft.scen=Evening", "ifttt: there is no field 'ft.scen'"),
    ("--set area=1,2", "ifttt: 'ft.location.enter.area' cannot be '1,2'"),
    ("--enable-feature nope", "ifttt: there is no feature 'nope'"),
  ]) func whatIsNoSettingOpensNothing(words: String, message: String) {
    let server = Server().answering(200, Self.unknown)
    let run = activator.home.run("configure cc --skip \(words)", answers: server)
    #expect(run.notes.first == message)
    #expect(run.exit == .failure)
    #expect(activator.port.settings.isEmpty, "nothing was waited for")
    #expect(server.asked == ["GET connect.ifttt.com/v2/connections/cc"])
  }

  @Test func anOptionIsRefusedWhereItIsKnownWhichThereAre() {
    activator.home.environment["IFTTT_USER_TOKEN"] = Activator.token
    let server = Server().answering(200, Lamps.connection(nil)).answering(200, Lamps.sceneOptions)
    let run = activator.home.run("configure cc --skip --set scene=Noon", answers: server)
    #expect(run.notes.first == "ifttt: 'ft.scene' cannot be 'Noon'")
    #expect(activator.port.settings.isEmpty)
  }

  /// What cannot be known yet is no reason to refuse anything, nor to say so.
  @Test func whatIsNotToldYetIsLeftForAfterwards() {
    activator.nothingHappens()
    let server = Server().answering(200, Self.unknown).answering(200, Self.unknown).answering(204)
    let run = activator.home.run(
      "configure cc --skip --set scene=Noon --set ft#2.name=x --remove-feature ft --email kai@mail.test --no-browser",
      answers: server)
    #expect(run.errors.hasPrefix("Open this page in your browser:\n"))
    #expect(run.notes.contains("ifttt: nobody came back in time"))
  }

  @Test func standardInputIsReadOnceAndFirst() {
    let run = activator.home.run("configure cc --skip --file -", input: .text("{"))
    #expect(run.notes.first == "ifttt: standard input is not JSON")
    #expect(activator.port.settings.isEmpty)
  }
}
