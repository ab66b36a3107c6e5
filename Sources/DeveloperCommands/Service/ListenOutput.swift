import Session
import Store
import Text
import World

/// The destination of the webhooks that `service listen` receives.
protocol ListenOutput: AnyObject {
  func show(_ row: WebhookRow) throws
  /// Whether a later run shows the webhooks that this one does not show.
  var isResumable: Bool { get }
}

extension ListenOutput {
  var isResumable: Bool { false }
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
