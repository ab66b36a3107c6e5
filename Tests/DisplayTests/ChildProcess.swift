import Foundation
import Support
import Testing

/// What a program prints for an input, or nil, loudly, where it is not installed.
func run(_ name: String, _ arguments: [String], input: String) throws -> Data? {
  guard let tool = Tool(name) else {
    print("skipped: needs \(name)")
    return nil
  }
  let outcome = try tool.run(arguments, in: ScratchFolder(), input: input)
  #expect(outcome.status == 0)
  return Data(outcome.output.utf8)
}
