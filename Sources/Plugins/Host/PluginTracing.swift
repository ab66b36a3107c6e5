import Output
package import Session
import Text
import World

extension Session {
  /// The trace of all plugins of this run; nil if neither `--trace-plugins` nor the environment requests one.
  /// - Throws: `output_failed` if the file cannot be written.
  package var pluginTrace: PluginTrace? {
    get throws { try cached { RunTrace(trace: try makePluginTrace()) }.trace }
  }

  /// The trace as the session keeps it. An optional would not do, because a missing value looks like nil.
  private struct RunTrace { let trace: PluginTrace? }

  private func makePluginTrace() throws -> PluginTrace? {
    let path = world.environment[.pluginTrace].flatMap { $0.isEmpty ? nil : $0 }
    guard options.tracesPlugins || path != nil else { return nil }
    if let path {
      // An error now, before the plugin starts, is clearer than a trace that is missing.
      do throws(SystemError) { try world.files.append([], to: path) } catch {
        throw Problem(
          .outputFailed, "cannot write the trace to '\(path)'", reason: error.description,
          hint: "\(EnvironmentVariable.pluginTrace.name) must name a regular file that you can write to.")
      }
    }
    return PluginTrace(masking: credentials.knownSecrets, now: { [world] in world.clock.now() }) {
      [unowned self] line in
      if let path { try? world.files.append(Array((line + "\n").utf8), to: path) }
      guard options.tracesPlugins else { return }
      console.makeRoom()
      // On a terminal, marks that change the direction of text are escaped too.
      console.writeError((world.terminal.errorIsTerminal ? TerminalText.escaped(line) : line) + "\n")
    }
  }
}
