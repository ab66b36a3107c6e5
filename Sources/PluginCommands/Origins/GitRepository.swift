import CommandContext
import EnvironmentVariables
import HTTP
import Hints
import Plugins
import World

/// A Git repository with a plugin in its root folder. It is read with git, but never checked out: no hook, filter,
/// attribute or submodule of the repository has an effect.
struct GitRepository {
  let url: String
  let session: Session

  /// The tags of the repository.
  func tags() throws -> [VersionTag] {
    try withRepository { git in
      VersionTag.list(parsing: try git.output(["ls-remote", "--tags", "--quiet", "--", url], limit: 8 << 20))
    }
  }

  /// The plugin's files at a tag.
  /// - Throws: `refused` if the tag now points to another commit.
  func package(at tag: VersionTag) throws -> PluginPackage {
    try withRepository { git in
      let reference = "refs/tags/\(tag.name)"
      _ = try git.output([
        "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url,
        "+\(reference):\(reference)",
      ])
      let commit = try git.text(["rev-parse", "--verify", "--quiet", "\(reference)^{commit}"])
      guard commit == tag.commit else {
        throw Problem(
          .refused, "tag '\(tag.name)' of \(url) changes while it is read",
          reason: "it pointed to \(tag.commit), and now points to \(commit)")
      }
      let tree = try GitTree(listing: git.output(["ls-tree", "-r", "-z", "--long", commit], limit: 8 << 20))
      let objects = try git.output(
        ["cat-file", "--batch"], input: tree.requests, limit: PluginContents.sizeLimit + 1 << 20)
      return try PluginPackage(tree.files(in: objects))
    }
  }

  private struct Git {
    let tool: ExternalTool
    let session: Session
    let url: String

    func output(_ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws -> [UInt8] {
      let patience = session.options.timeout * 10
      let result = try tool.run(GitRepository.settings + arguments, input: input, limit: limit, within: patience)
      guard result.status == 0 else {
        throw Problem(
          .pluginFailed, "the Git repository \(url) cannot be read", reason: result.reason,
          hint: "Check the URL. Repositories that need a password are not supported.")
      }
      return result.output
    }

    func text(_ arguments: [String]) throws -> String {
      String(decoding: try output(arguments).prefix { $0 > 0x20 }, as: UTF8.self)
    }
  }

  /// The settings of every call. The user's and the system's settings are not read, because they can run programs.
  fileprivate static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "credential.helper=",
    "fetch.recurseSubmodules=false", "gc.auto=0", "http.followRedirects=initial", "maintenance.auto=false",
    "protocol.allow=never", "protocol.file.allow=always", "protocol.https.allow=always", "submodule.recurse=false",
    "transfer.fsckObjects=true",
  ].flatMap { ["-c", $0] }

  /// Calls `body` with git and an empty bare repository of its own. Without one, git would read the settings of a
  /// repository in the working folder.
  private func withRepository<Result>(_ body: (Git) throws -> Result) throws -> Result {
    guard !session.options.isOffline || url.hasPrefix("file:") else {
      throw Problem(
        .network, "\(url) was not read", reason: "the network is disabled for this run", hint: "Omit --offline.")
    }
    var tool = try ExternalTool("git", for: "a Git repository", in: session)
    return try PrivateFolder.with(in: session) { folder in
      tool.variables = variables(in: folder)
      let git = Git(tool: tool, session: session, url: url)
      _ = try git.output(["init", "--quiet", "--bare", "--template="])
      return try body(git)
    }
  }

  private func variables(in folder: String) -> [(name: String, value: String)] {
    let environment = session.world.environment
    let certificates = [
      ("GIT_SSL_CAINFO", environment[.certificateFile]), ("GIT_SSL_CAPATH", environment[.certificateFolder]),
    ]
    .compactMap { name, value in value.map { (name: name, value: $0) } }
    return [
      ("GIT_DIR", "\(folder)/repository.git"), (EnvironmentVariable.home.name, folder),
      ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_ATTR_NOSYSTEM", "1"),
      ("GIT_TERMINAL_PROMPT", "0"), ("GIT_ALLOW_PROTOCOL", "file:https"), ("GIT_NO_REPLACE_OBJECTS", "1"),
      ("GIT_PROTOCOL_FROM_USER", "0"),
    ] + certificates
  }
}
