/// How tests start the Python scripts of this repository.
package enum Python {
  /// The arguments before a script. What Python compiles is in a folder of the tests' process, so that each module is
  /// compiled once and nothing is written beside the scripts.
  package static let arguments = ["-X", "pycache_prefix=\(compiled.path)"]
  private static let compiled = TemporaryFolder()

  /// The words that run a script with the Python on the program's PATH.
  package static func command(_ script: String, _ words: [String] = []) -> [String] {
    ["/usr/bin/env", "python3"] + arguments + [script] + words
  }
}
