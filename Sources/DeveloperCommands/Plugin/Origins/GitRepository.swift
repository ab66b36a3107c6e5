import HTTP
import Plugins
import Session
import Text
import World

/// A Git repository with a plugin in its root folder. It is read with git, but never checked out: no hook, filter,
/// attribute or submodule of the repository has an effect.
struct GitRepository {
  let url: String
  let session: Session

  /// The tags of the repository.
  func tags() throws -> [VersionTag] {
    try withCommands { git in
      VersionTag.list(parsing: try git.remote(["ls-remote", "--tags", "--quiet", "--", url], limit: 8 << 20))
    }
  }

  /// The plugin's files at a tag.
  /// - Throws: `refused` if the tag now points to another commit.
  func package(at tag: VersionTag) throws -> PluginPackage {
    try withCommands { git in
      let reference = "refs/tags/\(tag.name)"
      // A server that supports filters does not even send a file that is too large. Others warn, and the limits hold.
      _ = try git.remote([
        "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules",
        "--filter=blob:limit=\(PluginContents.sizeLimit + 1)", "--", url, "+\(reference):\(reference)",
      ])
      let commit = try git.text(["rev-parse", "--verify", "--quiet", "\(reference)^{commit}"])
      guard commit == tag.commit else {
        throw Problem(
          .refused, "tag '\(tag.name)' of \(url) changes while it is read",
          reason: "it pointed to \(tag.commit), and now points to \(commit)")
      }
      let tree = try GitTree(listing: git.local(["ls-tree", "-r", "-z", "--long", commit], limit: 8 << 20))
      let objects = try git.local(
        ["cat-file", "--batch"], input: tree.requests, limit: PluginContents.sizeLimit + 1 << 20)
      return try PluginPackage(tree.files(in: objects))
    }
  }

  /// Calls `body` with git and an empty bare repository of its own. Without one, git would read the settings of a
  /// repository in the working folder.
  private func withCommands<Result>(_ body: (GitCommands) throws -> Result) throws -> Result {
    guard !session.options.isOffline || url.hasPrefix("file:") else {
      throw Problem(
        .network, "\(url) was not read", reason: "the network is disabled for this run", hint: "Omit --offline.")
    }
    let tool = try ExternalTool("git", for: "a Git repository", in: session)
    return try PrivateFolder.with(in: session) { folder in
      let git = GitCommands(tool: tool, session: session, url: url, folder: folder)
      _ = try git.local(["init", "--quiet", "--bare", "--template="])
      return try body(git)
    }
  }
}
