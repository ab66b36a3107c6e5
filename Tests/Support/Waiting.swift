import Foundation

/// Waits for a condition that no descriptor announces. It sleeps between its attempts, so that it does not take the
/// processor from the programs that it waits for.
///
/// - Parameter pause: The microseconds between two attempts. A condition that starts a program needs a longer pause.
package func waitUntil(_ condition: @autoclosure () throws -> Bool, pause: UInt32 = 500) rethrows {
  while try !condition() { usleep(pause) }
}
