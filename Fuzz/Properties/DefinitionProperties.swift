import DeveloperCommands
import IFTTT
import JSON
import Sandbox

/// A service definition that is accepted has steps with ids, and the sandbox that is made from it is one that its own
/// reader accepts, unless an id cannot be part of a URL.
enum DefinitionProperties {
  static func problem(in bytes: [UInt8]) -> String? {
    guard let definition = try? ServiceDefinition(parsing: bytes) else { return nil }
    var identifiers = [definition.id].compactMap(\.self)
    for kind in ServiceStepKind.allCases {
      for step in definition.steps[kind] ?? [] {
        guard !step.slug.isEmpty, !step.fields.contains(where: \.slug.isEmpty) else { return "a step without an id" }
        guard definition.step(kind, step.slug) != nil else { return "a step that cannot be found" }
        guard !step.isContextual || kind == .triggers else { return "an action with contextual validation" }
        identifiers += [step.slug] + step.fields.map(\.slug)
      }
    }
    let written = DefinedSeed(definition).json.bytes
    do throws(SeedError) {
      let seed = try SandboxSeed(parsing: written)
      return (try? SandboxSeed(parsing: seed.json.bytes))?.json == seed.json ? nil : "a sandbox that changes"
    } catch {
      let isPlain = identifiers.allSatisfy { $0.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "/") } }
      return isPlain ? "a sandbox that cannot be read: \(error)" : nil
    }
  }
}
