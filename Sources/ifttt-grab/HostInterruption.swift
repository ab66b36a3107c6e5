import PluginProtocol
import World

/// The program's `$/cancel` as what ends a wait or a transfer.
///
/// Unchecked: plugin and program talk on one thread.
final class HostInterruption: Interruption, @unchecked Sendable {
  private let host: PluginHost
  /// Readable once the program has said something, which then is looked at and leaves it unreadable again.
  let descriptor: Int32

  init(host: PluginHost, arrivals: Int32) { (self.host, descriptor) = (host, arrivals) }

  var isInterrupted: Bool { host.isCancelled }
}
