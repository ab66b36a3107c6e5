import HTTP
import Plugins
import Session
import Store
import Text
import World

/// A plugin in a Git repository, at a tag.
struct GitSource {
  let url: String
  let session: Session

  private var repository: GitRepository { GitRepository(url: url, session: session) }

  /// - Parameter name: the tag's name; nil for the newest version that is not a pre-release.
  func candidate(tag name: String?) throws -> PluginCandidate {
    let tags = try repository.tags()
    guard let tag = name.map({ name in tags.first { $0.name == name } }) ?? VersionTag.newest(of: tags) else {
      throw Problem(
        .notFound, name.map { "\(url) has no tag '\($0)'" } ?? "\(url) has no version tag, such as v1.0.0",
        hint: "Pass an existing tag: \(GitReference.text(of: url, at: "TAG"))")
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
  /// The error for a tag that was moved after the installed version was read from it; nil for other tags.
  func movedTagProblem(of tag: VersionTag) -> Problem? {
    guard kind == .git, self.tag == tag.name, let commit, commit != tag.commit else { return nil }
    return Problem(
      .refused, "tag '\(tag.name)' of \(location) was moved",
      reason: "it pointed to commit \(commit) when it was installed, and now points to \(tag.commit)",
      hint: "Ask the author why. To install it regardless, remove the plugin first.")
  }
}

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
      // A server that supports filters does not send files that are too large. For other servers, git only warns, and
      // the resource limits apply.
      _ = try git.remote([
        "fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules",
        "--filter=blob:limit=\(PluginContents.sizeLimit + 1)", "--", url, "+\(reference):\(reference)",
      ])
      let commit = try git.firstWord(["rev-parse", "--verify", "--quiet", "\(reference)^{commit}"])
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
    let tool = try ExternalTool("git", for: "a Git repository", in: session.world)
    return try PrivateFolder.with(in: session) { folder in
      let git = GitCommands(tool: tool, session: session, url: url, folder: folder)
      _ = try git.local(["init", "--quiet", "--bare", "--template="])
      return try body(git)
    }
  }
}

/// Runs git for one repository, with its own settings, limits and environment.
struct GitCommands {
  let session: Session
  let url: String
  private let tool: ExternalTool
  /// The private folder that contains the bare repository.
  private let folder: String

  init(tool: ExternalTool, session: Session, url: String, folder: String) {
    (self.session, self.url, self.folder) = (session, url, folder)
    self.tool = tool
  }

  /// The protocol of the URL: `https`, `ssh` or `file`.
  private var scheme: String { String(url.prefix { $0 != ":" }) }

  /// Runs a command on the fetched objects. It must not fetch more: a file that a filter omitted stays missing.
  func local(_ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws -> [UInt8] {
    let result = try run(Self.settings + arguments, input: input, limit: limit, allowing: "none")
    guard result.status == 0 else { throw problem(result, isLocal: true) }
    return result.output
  }

  /// Runs a local command and returns the first word of its output.
  func firstWord(_ arguments: [String]) throws -> String {
    String(decoding: try local(arguments).prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// Runs a command that connects to the repository. The user's credentials are used only if it fails without them.
  func remote(_ arguments: [String], limit: Int = 1 << 20) throws -> [UInt8] {
    let settings = Self.settings + ["-c", "protocol.\(scheme).allow=always"]
    var result = try run(settings + arguments, limit: limit, allowing: scheme, withUserKeys: scheme == "ssh")
    if result.status != 0, scheme == "https", Self.needsCredentials(result.errors),
      let credentials = try userCredentials()
    {
      result = try run(
        settings + arguments, limit: limit, allowing: scheme, withUserKeys: true, credentials: credentials)
    }
    guard result.status == 0 else { throw problem(result, isLocal: false) }
    return result.output
  }

  // MARK: Environment

  /// The settings of every run. The user's and the system's settings are not read, because they can run programs.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null",
    "fetch.recurseSubmodules=false", "gc.auto=0", "http.followRedirects=initial", "maintenance.auto=false",
    "protocol.allow=never", "submodule.recurse=false", "transfer.fsckObjects=true",
    // Large files are read piece by piece, and a pack is written to one file, whose size is limited.
    "core.bigFileThreshold=1m", "fetch.unpackLimit=1", "pack.threads=1",
  ].flatMap { ["-c", $0] }

  /// Limits that suffice for any plugin. A small pack can expand to gigabytes.
  private static let limits = ResourceLimits(
    fileSize: UInt(2 * PluginContents.sizeLimit), memory: 512 << 20, seconds: 5)

  private typealias Setting = (name: String, value: String)

  /// - Parameters:
  ///   - usesUserKeys: whether the command may use the user's keys and agents.
  ///   - credentials: the settings of the user's credential helpers.
  private func run(
    _ arguments: [String], input: [UInt8] = [], limit: Int, allowing scheme: String,
    withUserKeys usesUserKeys: Bool = false, credentials: [Setting] = []
  ) throws -> ExternalTool.Result {
    var tool = tool
    tool.limits = Self.limits
    tool.visible = usesUserKeys ? .keys : .basic
    tool.variables = variables(allowing: scheme, withUserKeys: usesUserKeys) + Self.variables(for: credentials)
    return try tool.run(arguments, input: input, limit: limit, within: session.options.timeout * 4)
  }

  private func variables(allowing scheme: String, withUserKeys usesUserKeys: Bool) -> [(name: String, value: String)] {
    let environment = session.world.environment
    let certificates = [
      ("GIT_SSL_CAINFO", environment[.certificateFile]), ("GIT_SSL_CAPATH", environment[.certificateFolder]),
    ]
    .compactMap { name, value in value.map { (name: name, value: $0) } }
    let home = usesUserKeys ? environment[.home] ?? folder : folder
    return [
      ("GIT_DIR", "\(folder)/repository.git"), (EnvironmentVariable.home.name, home), ("GIT_CONFIG_NOSYSTEM", "1"),
      ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_ATTR_NOSYSTEM", "1"), ("GIT_TERMINAL_PROMPT", "0"),
      ("GCM_INTERACTIVE", "never"), ("GIT_ALLOW_PROTOCOL", scheme), ("GIT_NO_REPLACE_OBJECTS", "1"),
      ("GIT_PROTOCOL_FROM_USER", "0"), ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
    ] + certificates
  }

  /// The variables that pass settings to git. A helper's command may contain a password, and all users of the system
  /// can read arguments. The first setting clears the list of helpers. As an argument, it would also clear the helpers
  /// in variables, because git applies arguments last.
  private static func variables(for credentials: [Setting]) -> [(name: String, value: String)] {
    let settings: [Setting] = [("credential.helper", "")] + credentials
    let pairs = settings.enumerated().flatMap { index, setting in
      [("GIT_CONFIG_KEY_\(index)", setting.name), ("GIT_CONFIG_VALUE_\(index)", setting.value)]
    }
    return [("GIT_CONFIG_COUNT", "\(settings.count)")] + pairs
  }

  // MARK: Credentials

  private static func needsCredentials(_ errors: String) -> Bool {
    ["could not read Username", "could not read Password", "Authentication failed", "returned error: 401"].contains {
      errors.includes($0)
    }
  }

  /// The settings of the user's credential helpers; nil if the user has neither helpers nor a `~/.netrc`.
  private func userCredentials() throws -> [Setting]? {
    var tool = tool
    tool.visible = .keys
    tool.variables = [("GIT_DIR", "\(folder)/repository.git")]
    let result = try tool.run(["config", "--null", "--get-regexp", #"^credential\."#], within: .seconds(10))
    let settings = result.output.split(separator: 0).map { entry -> Setting in
      // The name ends at the first line feed; a setting without a value has none.
      let parts = entry.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (parts[0], parts.count > 1 ? parts[1] : [])
      return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
    let home = session.world.environment[.home] ?? ""
    let hasNetrc = session.world.files.exists("\(home)/.netrc")
    return settings.isEmpty && !hasNetrc ? nil : settings
  }

  // MARK: Errors

  private func problem(_ result: ExternalTool.Result, isLocal: Bool) -> Problem {
    let message = "the Git repository \(url) cannot be read"
    // A file that the server omitted is missing, and nothing may be fetched to complete it.
    let isTooLarge = isLocal && result.errors.includes("promisor")
    let exceedsLimits =
      result.status > 128
      || [
        "died of signal", "invalid index-pack output", "Out of memory", "out of memory", "mmap failed",
        "File too large",
      ].contains {
        result.errors.includes($0)
      }
    if isTooLarge || exceedsLimits {
      return Problem(
        .pluginFailed, message,
        reason: isTooLarge
          ? "a file in it is larger than \(PluginContents.sizeLimit >> 20) MiB"
          : "it is too large: git was limited to \(Self.limits.fileSize >> 20) MiB per file, "
            + "512 MiB of memory and 5 s of processor time",
        hint: "Ask the author to tag a commit without large files.")
    }
    let hint: Hint =
      switch scheme {
      case "ssh":
        """
        Check the URL. ssh cannot prompt here: load the key with \(shell: "ssh-add"), and connect once with ssh to \
        accept the host's key.
        """
      case "https":
        """
        Check the URL. If the repository is private, git needs a credential helper or ~/.netrc, because it cannot \
        prompt here; or use git+ssh://.
        """
      default: "Check the path."
      }
    return Problem(.pluginFailed, message, reason: result.reason, hint: hint)
  }
}
