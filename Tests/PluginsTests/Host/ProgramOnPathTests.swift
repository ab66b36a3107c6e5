import Foundation
import ProgramDriver
import Support
import Testing
import World

@testable import Session

/// A program `ifttt-NAME` on PATH, which is not run because it is not installed as a plugin.
@Suite struct ProgramOnPathTests {
  private let plugins = PluginHome()

  private func addProgram(_ name: String = "ifttt-tides", manifest: Bool = false, mode: Int = 0o755) throws {
    try FileManager.default.createDirectory(atPath: plugins.folder["tools"], withIntermediateDirectories: true)
    plugins.folder.write("tools/\(name)", "#!/bin/sh\n", mode: mode)
    if manifest { plugins.folder.write("tools/plugin.json", "{}") }
    plugins.home.environment["PATH"] = "relative:/nowhere:\(plugins.folder["tools"])"
    let prepare = plugins.home.prepare
    plugins.home.prepare = { test in
      prepare(test)
      test.files.elsewhere = { SystemError(number: 2, call: $0) }
    }
  }

  @Test func theErrorSaysHowToInstallIt() throws {
    try addProgram(manifest: true)
    let outcome = plugins.run("tides")
    let path = try #require(realpath(plugins.folder["tools/ifttt-tides"], nil).map { String(cString: $0) })
    #expect(outcome.exit == .usage && outcome.notes.first == "ifttt: unknown command 'tides'")
    #expect(outcome.errors.contains("is not run, because it is not installed as a"), "\(outcome.errors)")
    #expect(outcome.errors.contains("ifttt plugin install \(path)"), "\(outcome.errors)")
    #expect(plugins.became == nil)
  }

  @Test func withoutAManifestItSaysHowToMakeItAPlugin() throws {
    try addProgram()
    #expect(plugins.run("tides").errors.contains("ifttt plugin new tides"))
  }

  @Test(arguments: ["tides --no-plugins", "waves", "Tides", "../tides"]) func otherNamesAreUnknown(_ line: String)
    throws
  {
    try addProgram()
    let outcome = plugins.run(line)
    #expect(outcome.exit == .usage && !outcome.errors.contains("not installed as a"), "\(outcome.errors)")
  }

  @Test func aFileThatIsNotExecutableIsIgnored() throws {
    try addProgram(mode: 0o644)
    #expect(!plugins.run("tides").errors.contains("not installed as a"))
  }

  @Test func aCommandOfTheProgramIsRun() throws {
    try addProgram("ifttt-version")
    #expect(plugins.run("version").exit == .success)
  }
}
