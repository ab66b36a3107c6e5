import CommandContext
import Hints
import Store
import World

/// The destination of the webhooks that `service listen` receives.
protocol ListenOutput: AnyObject {
  func show(_ row: WebhookRow) throws
}

/// Prints each webhook as a row.
final class WebhookRows: ListenOutput {
  private let body: (UnsafeRawBufferPointer) throws -> Void

  init(body: @escaping (UnsafeRawBufferPointer) throws -> Void) { self.body = body }

  func show(_ row: WebhookRow) throws { try row.bytes.withUnsafeBytes(body) }
}

/// Prints each webhook as one line for people. A table would need all rows before its first line.
final class WebhookLines: ListenOutput {
  private let write: ([UInt8]) throws -> Void

  init(write: @escaping ([UInt8]) throws -> Void) { self.write = write }

  func show(_ row: WebhookRow) throws { try write(Array((row.line + "\n").utf8)) }
}

/// Runs a command for each webhook, one at a time, and prints its output.
final class WebhookCommand: ListenOutput {
  private let session: Session
  private let words: [String]
  private let write: ([UInt8]) throws -> Void

  init(_ session: Session, _ words: [String], write: @escaping ([UInt8]) throws -> Void) {
    (self.session, self.words, self.write) = (session, words, write)
  }

  func show(_ row: WebhookRow) throws {
    let result: ProcessResult
    do throws(SystemError) {
      // The user's own command may run this program again, so it receives every variable, as a Git hook does.
      result = try session.world.processes.run(
        words, input: row.bytes + [UInt8(ascii: "\n")], limit: .seconds(100 * 365 * 86_400), seeing: .all)
    } catch {
      guard !session.world.interruption.isInterrupted else { throw Problem.interrupted }
      return session.console.note("\(words[0]) for webhook \(row.id) (\(row.name)): \(error)")
    }
    if !result.output.isEmpty { try write(result.output) }
    guard result.status != 0 else { return }
    session.console.note("\(words[0]) for webhook \(row.id) (\(row.name)) ended with status \(result.status)")
  }
}

extension WebhookRow {
  fileprivate var id: String { String(stored.number) }
}
