import Support
import Testing

/// The sample command plugin in Examples/plugins. `Transcripts/Examples/ifttt-hello.txt` installs and uses it.
@Suite struct PluginSampleTests {
  @Test(.enabled(if: Tool.isInstalled("shellcheck"), "skipped: needs shellcheck")) func shellcheckIsSilent() throws {
    let outcome = try Tool.required("shellcheck").run(
      [Checkout.path("Examples/plugins/ifttt-hello/ifttt-hello")], in: ScratchFolder())
    #expect(outcome == Tool.Outcome(status: 0))
  }
}
