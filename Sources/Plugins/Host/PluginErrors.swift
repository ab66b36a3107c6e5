package import PluginProtocol
package import Session

// Converts the errors of plugins to problems.

extension PluginTrustError: ProblemConvertible {
  /// A broken plugin has failed; a plugin that may be valid but is not trusted is rejected.
  package var problem: Problem {
    let code: Problem.Code = verdict.status == .broken ? .pluginFailed : .refused
    return Problem(code, "plugin '\(plugin)' is not run", reason: verdict.problem, hint: verdict.advice)
  }
}

extension ManifestError: ProblemConvertible {
  package var problem: Problem {
    Problem(.pluginFailed, "the plugin's manifest is invalid", reason: description)
  }
}

extension PluginContentsError: ProblemConvertible {
  package var problem: Problem { Problem(.pluginFailed, "this is not a plugin", reason: description) }
}
