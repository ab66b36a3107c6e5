import Foundation
import Support
import Testing

/// The memory of the running program, which contains secrets.
@Suite struct ProcessMemoryTests {
  #if os(Linux)
    /// The system makes root the owner of a process's files in /proc if the process has no core dumps and its user's
    /// other processes cannot read its memory.
    @Test func isHidden() throws {
      let program = try InstalledProgram()
      let folder = try ScratchFolder()
      try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: folder.path)
      let watch = ["--profile", "sandbox", "connections", "watch", "Kd7Rn2Qx", "--initial"]
      // Root owns its own processes in any case.
      let other = geteuid() == 0 ? [try Tool.required("setpriv").path, "--reuid=65534", "--clear-groups"] : []
      let running = try Running(
        other + [program.path] + watch,
        environment: sanitizerVariables.merging(["IFTTT_HOME": folder.path + "/home"]) { $1 })
      #expect(running.read(until: "\n").hasPrefix("{"))
      let facts = try FileManager.default.attributesOfItem(atPath: "/proc/\(running.id)/environ")
      #expect(facts[.ownerAccountID] as? Int == 0)
    }
  #endif
}
