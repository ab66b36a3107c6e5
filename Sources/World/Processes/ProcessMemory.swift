internal import CSystem

/// The memory of this process, which may contain secrets.
package enum ProcessMemory {
  /// Prevents core dumps. On Linux, other processes of the same user can no longer read the memory either. Programs that
  /// this one starts are not affected.
  package static func hide() { secret_memory_hide() }
}

/// The line on stderr that a crash leaves, because a core dump would contain secrets.
package enum CrashReport {
  /// Prints the line from now on, with the program's name and version. `script/symbolize` reads it.
  package static func install(program: String) { crash_report_install(program) }
}
