import Foundation
import Support
import Testing

/// The output of a program for an input. Nil if it is not installed, with a message that the test is skipped.
func run(_ name: String, _ arguments: [String], input: String) throws -> Data? {
  guard let tool = Tool(name) else {
    print("skipped: needs \(name)")
    return nil
  }
  let outcome = try tool.run(arguments, in: ScratchFolder(), input: input)
  #expect(outcome.status == 0)
  return Data(outcome.output.utf8)
}
