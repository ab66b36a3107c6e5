import Plugins
import Session
import Store
import Text

/// A plugin in a Git repository, at a tag.
struct GitSource {
  let url: String
  let session: Session

  private var repository: GitRepository { GitRepository(url: url, session: session) }

  /// - Parameters:
  ///   - tag: the name of the tag; nil for the newest version that is not a pre-release.
  ///   - old: where the installed plugin comes from; nil if it is not known.
  func candidate(tag name: String?) throws -> PluginCandidate {
    let tags = try repository.tags()
    guard let tag = name.map({ name in tags.first { $0.name == name } }) ?? VersionTag.newest(of: tags) else {
      throw Problem(
        .notFound, name.map { "\(url) has no tag '\($0)'" } ?? "\(url) has no tag of a version, such as v1.0.0",
        hint: "Name a tag that it has: \(GitReference.text(of: url, at: "TAG"))")
    }
    return try candidate(at: tag)
  }

  func candidate(at tag: VersionTag) throws -> PluginCandidate {
    var provenance = PluginProvenance(.git, url)
    (provenance.tag, provenance.commit) = (tag.name, tag.commit)
    return PluginCandidate(
      try repository.package(at: tag), origin: GitReference.text(of: url, at: tag.name), provenance)
  }
}

extension PluginProvenance {
  /// Why a tag must not be trusted: it was moved since the installed version was read from it. Nil if it was not.
  func moveProblem(of tag: VersionTag) -> Problem? {
    guard kind == .git, self.tag == tag.name, let commit, commit != tag.commit else { return nil }
    return Problem(
      .refused, "tag '\(tag.name)' of \(location) was moved",
      reason: "it pointed to commit \(commit) when it was installed, and now points to \(tag.commit)",
      hint: "Ask the author why. To install it regardless, remove the plugin first.")
  }
}
