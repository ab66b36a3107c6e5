import HTTP
import World

/// The input of a recorded run, and of its replay. Its waits advance the run's clock, which otherwise stands still between
/// responses: a run that waits for something else would never time out.
final class ClockedInput: Input {
  private let input: any Input
  private let clock: FrozenClock

  init(_ input: any Input, _ clock: FrozenClock) { (self.input, self.clock) = (input, clock) }

  var descriptor: Int32 { input.descriptor }

  func wait(for descriptor: Int32, expectsInput: Bool, atMost limit: Duration) throws(InputError) -> WakeReason {
    let reason = try input.wait(for: descriptor, expectsInput: expectsInput, atMost: limit)
    clock.pass(reason == .timeUp ? limit : .zero)
    return reason
  }

  func readAll(limit: Int) throws(InputError) -> [UInt8] { try input.readAll(limit: limit) }
  func readSome() throws(InputError) -> [UInt8] { try input.readSome() }
  func readLine() throws(InputError) -> String? { try input.readLine() }
  func readSecret(prompt: () -> Void) throws(InputError) -> String? { try input.readSecret(prompt: prompt) }
  func discardTypeAhead() { input.discardTypeAhead() }
}
