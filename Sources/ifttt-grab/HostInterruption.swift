import PluginProtocol
import World

/// The program's `$/cancel` as the interruption of a wait or a transfer.
///
/// Unchecked: there is no guard, because the plugin talks to the program on one thread.
final class HostInterruption: Interruption, @unchecked Sendable {
  private let host: PluginHost
  /// A descriptor that becomes readable when the program sends something. Checking for interruption reads the message
  /// and makes the descriptor unreadable again.
  var descriptor: Int32 { host.arrivals }

  init(host: PluginHost) { self.host = host }

  var isInterrupted: Bool { host.isCancelled }
}
