import Foundation
import Support
import Testing

/// Partners' servers whose responses have the forms that web frameworks give them: all checks pass, or only warn.
@Suite(.enabled(if: PartnerServer.isAvailable, "skipped: needs python3 and curl"))
struct FrameworkServiceTests {
  private static let script =
    Bundle.module.resourceURL?.appendingPathComponent("Servers/framework_service.py").path ?? ""

  private static let forms: [String] = {
    let outcome = try? Tool("python3")?.run(Python.arguments + [script, "--list"], in: ScratchFolder())
    return (outcome?.output ?? "").split(separator: "\n").map(String.init)
  }()

  /// The server behind all forms. It keeps nothing that a test of a service would see in another.
  private static let partner = Result { try PartnerServer() }

  @Test func findsTheForms() { #expect(Self.forms.count >= 9) }

  @Test(arguments: forms) func theExamplePassesInEveryForm(_ form: String) throws {
    let partner = try Self.partner.get()
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let server = try Running(Python.command(Self.script, [form, partner.url]), environment: ["PATH": path])
    defer {
      server.endInput()
      server.wait()
    }
    let url = "http://127.0.0.1:\(server.read(until: "\n").dropLast())"
    let home = Home(nil, ["IFTTT_SERVICE_KEY": PartnerServer.serviceKey])
    let outcome = try home.run(
      "service", "test", url, "--definition", PartnerServer.definition, "--webhooks", "--fields",
      "result,check,message",
      "-o", "tsv", "--no-header")
    #expect(outcome.status == 0, "\(outcome.errors)")
    let tolerated = form == "fastapi" ? "warning\tcontent-type\t" : "passed\t"
    #expect(
      outcome.text.split(separator: "\n").allSatisfy { $0.hasPrefix("passed\t") || $0.hasPrefix(tolerated) },
      "\(outcome.text)")
    #expect(outcome.text.contains(tolerated))
  }
}
