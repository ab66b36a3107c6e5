/// Notices Ctrl-C (SIGINT), SIGTERM and SIGHUP.
package protocol Interruption: AnyObject, Sendable {
  var isInterrupted: Bool { get }
  /// The descriptor that is readable once interrupted; -1 if there is none.
  var descriptor: Int32 { get }
}
