internal import CSecretMemory

/// The memory of this process, which may contain secrets.
package enum ProcessMemory {
  /// Prevents core dumps. On Linux, other processes of the same user can no longer read the memory either. Programs that
  /// this one starts are not affected.
  package static func hide() { secret_memory_hide() }
}
