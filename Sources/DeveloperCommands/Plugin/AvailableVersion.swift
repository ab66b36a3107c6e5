/// A version that an installed plugin could be upgraded to.
struct AvailableVersion {
  /// Nil if it is known only once the archive is downloaded.
  let version: String?
  /// Fetches it.
  let candidate: () throws -> PluginCandidate
}
