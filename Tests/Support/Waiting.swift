import Foundation

/// Waits for a condition that no descriptor announces. It sleeps between its attempts, so that it does not take the
/// processor from the programs that it waits for.
package func waitUntil(_ condition: @autoclosure () throws -> Bool) rethrows {
  while try !condition() { usleep(500) }
}
