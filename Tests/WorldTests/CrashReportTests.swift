import Foundation
import Support
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A crash leaves one line on stderr, from which `script/symbolize` makes a stack.
@Suite(
  .disabled(if: ProcessInfo.processInfo.environment["IFTTT_SANITIZER"] != nil, "a sanitizer reports crashes itself"))
struct CrashReportTests {
  private let line = #/probe 1\.2\.3 crashed: (?<signal>SIG[A-Z]+), build (?<build>[0-9a-z]+), at(?: 0x[0-9a-f]+)+/#

  private func stack(of line: Substring) throws -> String {
    let script = try #require(Tool(path: Checkout.path("script/symbolize")))
    let outcome = try script.run(
      ["--symbols", BuiltProduct.path("WorldProbe"), String(line)], in: ScratchFolder(),
      environment: ProcessInfo.processInfo.environment)
    #expect(outcome.status == 0, "\(outcome.errors)")
    return outcome.output
  }

  @Test(arguments: ["index": "elementOutOfRange", "stack": "deepCall"])
  func aFaultOfTheProgramNamesItsFunction(_ fault: String, _ function: String) throws {
    let probe = try Probe(["crash", fault])
    let errors = probe.readToEnd(probe.errors)
    #expect(probe.wait() < 0)
    let line = try #require(errors.firstMatch(of: self.line), "\(errors)")
    let stack = try stack(of: line.output.0)
    #expect(stack.contains(function), "\(stack)")
  }

  @Test func aSignalFromOutsideEndsTheProcessWithThatSignal() throws {
    let probe = try Probe(["crash", "wait"])
    probe.read(until: "installed\n")
    kill(probe.id, SIGSEGV)
    let errors = probe.readToEnd(probe.errors)
    #expect(probe.wait() == -SIGSEGV)
    let line = try #require(errors.firstMatch(of: self.line), "\(errors)")
    #expect(line.signal == "SIGSEGV")
    #expect(errors.filter { $0 == "\n" }.count == 1)
    #expect(try stack(of: line.output.0).contains("probe"))
  }

  @Test func symbolizeRejectsOtherText() throws {
    let script = try #require(Tool(path: Checkout.path("script/symbolize")))
    let environment = ProcessInfo.processInfo.environment
    let other = try script.run(["it crashed"], in: ScratchFolder(), environment: environment)
    #expect(other.status == 1)
    #expect(other.errors.contains("not the line of a crash"))
    let unknown = "ifttt 0.1.0 crashed: SIGSEGV, build 00ff00ff, at 0x10"
    let absent = try script.run([unknown], in: ScratchFolder(), environment: environment)
    #expect(absent.status == 1)
    #expect(absent.errors.contains("pass --symbols FILE"))
  }
}
