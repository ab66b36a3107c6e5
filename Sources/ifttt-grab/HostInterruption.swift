import PluginProtocol
import World

/// The program's `$/cancel` as what ends a wait or a transfer.
///
/// Unchecked: plugin and program talk on one thread.
final class HostInterruption: Interruption, @unchecked Sendable {
  private let host: PluginHost
  /// Readable once the program has said something, which then is looked at and leaves it unreadable again.
  var descriptor: Int32 { host.arrivals }

  init(host: PluginHost) { self.host = host }

  var isInterrupted: Bool { host.isCancelled }
}
