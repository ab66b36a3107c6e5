import ProgramDriver
import Support
import Testing

@testable import Session

/// The file with the sandbox profile's state.
@Suite struct DamagedSandboxTests {
  @Test(arguments: [
    ("{", "it is not JSON: expected a string as a key at byte 1"), (#"{"format":99}"#, "it has format 99, newer than"),
    (#"{"format":1}"#, "it has no valid"),
  ])
  func aDamagedStateIsTheErrorOfThatFile(_ text: String, _ reason: String) {
    let home = Home()
    home.sandbox("connections show Kd7Rn2Qx")
    let path = home.folder.write("sandbox.json", text)
    let before = home.now
    let shown = home.sandbox("connections show Kd7Rn2Qx --max-age 0")
    #expect(shown.exit == .store)
    #expect(shown.notes.first == "ifttt: the sandbox's state cannot be used")
    #expect(shown.notes.dropFirst().first?.hasPrefix("  \(path): \(reason)") == true, "\(shown.errors)")
    #expect(shown.notes.last?.hasSuffix("ifttt --profile sandbox sandbox reset") == true)
    #expect(home.now == before, "it is not retried")
    #expect(home.sandbox("connections show Kd7Rn2Qx --json").errors.contains(#""code":"store_damaged""#))
    home.sandbox("sandbox reset")
    #expect(home.sandbox("connections show Kd7Rn2Qx").exit == .success)
  }
}
