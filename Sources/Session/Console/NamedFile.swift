import Text
package import World

extension World {
  /// Writes a file that the user named, or replaces it.
  /// - Parameters:
  ///   - what: what is written: `the plan`.
  ///   - mode: as in chmod.
  ///   - body: writes the contents piece by piece.
  /// - Throws: `output_failed`, also for a device or a link, which replacing would destroy.
  package func write(_ what: String, to path: String, mode: UInt32, _ body: FileWriting) throws {
    let file = self.path(path)
    let reason: String
    do throws(SystemError) {
      let status: FileStatus?
      do throws(SystemError) { status = try files.status(file) } catch { status = nil }
      guard let status, status.kind != .file else { return try files.replace(file, mode: mode, writing: body) }
      reason = "it is not a regular file"
    } catch { reason = error.description }
    throw Problem(
      .outputFailed, "cannot write \(what) to '\(path)'", reason: reason,
      hint: "Choose a new file, or a regular file to replace, in a folder that you can write to.")
  }

  package func write(_ what: String, _ bytes: [UInt8], to path: String, mode: UInt32) throws {
    try write(what, to: path, mode: mode) { (write) throws(SystemError) in try write(bytes) }
  }
}
