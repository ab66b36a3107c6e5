import Plugins
import Session
import Text
import World

/// Runs of git for one repository, with its own settings, limits and environment.
struct GitCommands {
  let session: Session
  let url: String
  private let tool: ExternalTool
  /// The private folder that has the bare repository.
  private let folder: String

  init(tool: ExternalTool, session: Session, url: String, folder: String) {
    (self.session, self.url, self.folder) = (session, url, folder)
    self.tool = tool
  }

  /// The protocol of the URL: `https`, `ssh` or `file`.
  private var scheme: String { String(url.prefix { $0 != ":" }) }

  /// A command on what is already here. It must not fetch anything: a file that a filter has omitted stays missing.
  func local(_ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws -> [UInt8] {
    let result = try run(Self.settings + arguments, input: input, limit: limit, allowing: "none")
    guard result.status == 0 else { throw problem(result, isLocal: true) }
    return result.output
  }

  func text(_ arguments: [String]) throws -> String {
    String(decoding: try local(arguments).prefix { $0 > 0x20 }, as: UTF8.self)
  }

  /// A command that connects to the repository. The user's credentials are used only if it does not work without them.
  func remote(_ arguments: [String], limit: Int = 1 << 20) throws -> [UInt8] {
    let settings = Self.settings + ["-c", "protocol.\(scheme).allow=always"]
    let usesSSH = scheme == "ssh"
    var result = try run(settings + arguments, limit: limit, allowing: scheme, asUser: usesSSH)
    if result.status != 0, scheme == "https", Self.needsCredentials(result.errors), let own = try userCredentials() {
      result = try run(settings + own + arguments, limit: limit, allowing: scheme, asUser: true)
    }
    guard result.status == 0 else { throw problem(result, isLocal: false) }
    return result.output
  }

  // MARK: Environment

  /// The settings of every call. The user's and the system's settings are not read, because they can run programs.
  private static let settings = [
    "core.hooksPath=/dev/null", "core.fsmonitor=false", "core.attributesFile=/dev/null", "credential.helper=",
    "fetch.recurseSubmodules=false", "gc.auto=0", "http.followRedirects=initial", "maintenance.auto=false",
    "protocol.allow=never", "submodule.recurse=false", "transfer.fsckObjects=true",
    // Large files are read piece by piece, and a pack is written to one file, whose size is limited.
    "core.bigFileThreshold=1m", "fetch.unpackLimit=1", "pack.threads=1",
  ].flatMap { ["-c", $0] }

  /// Enough for any plugin. A small pack can expand to gigabytes.
  private static let limits = ResourceLimits(
    fileSize: UInt(2 * PluginContents.sizeLimit), memory: 512 << 20, seconds: 5)

  /// - Parameter isUser: whether the command may use the user's keys and agents.
  private func run(
    _ arguments: [String], input: [UInt8] = [], limit: Int, allowing scheme: String, asUser isUser: Bool = false
  ) throws -> ExternalTool.Result {
    var tool = tool
    tool.limits = Self.limits
    tool.visible = isUser ? .keys : .basic
    tool.variables = variables(allowing: scheme, asUser: isUser)
    return try tool.run(arguments, input: input, limit: limit, within: session.options.timeout * 4)
  }

  private func variables(allowing scheme: String, asUser isUser: Bool) -> [(name: String, value: String)] {
    let environment = session.world.environment
    let certificates = [
      ("GIT_SSL_CAINFO", environment[.certificateFile]), ("GIT_SSL_CAPATH", environment[.certificateFolder]),
    ]
    .compactMap { name, value in value.map { (name: name, value: $0) } }
    let home = isUser ? environment[.home] ?? folder : folder
    return [
      ("GIT_DIR", "\(folder)/repository.git"), (EnvironmentVariable.home.name, home), ("GIT_CONFIG_NOSYSTEM", "1"),
      ("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_ATTR_NOSYSTEM", "1"), ("GIT_TERMINAL_PROMPT", "0"),
      ("GCM_INTERACTIVE", "never"), ("GIT_ALLOW_PROTOCOL", scheme), ("GIT_NO_REPLACE_OBJECTS", "1"),
      ("GIT_PROTOCOL_FROM_USER", "0"), ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
    ] + certificates
  }

  // MARK: Credentials

  private static func needsCredentials(_ errors: String) -> Bool {
    ["could not read Username", "could not read Password", "Authentication failed", "returned error: 401"].contains {
      errors.includes($0)
    }
  }

  /// The settings that let git use the user's credential helpers and `~/.netrc`; nil if there are none.
  private func userCredentials() throws -> [String]? {
    var tool = tool
    tool.visible = .keys
    tool.variables = [("GIT_DIR", "\(folder)/repository.git")]
    let result = try tool.run(["config", "--null", "--get-regexp", #"^credential\."#], within: .seconds(10))
    let settings = result.output.split(separator: 0).flatMap { entry -> [String] in
      // The name ends at the first line feed; a setting without a value has none.
      let parts = entry.split(separator: 0x0a, maxSplits: 1, omittingEmptySubsequences: false)
      let (name, value) = (parts[0], parts.count > 1 ? parts[1] : [])
      return ["-c", "\(String(decoding: name, as: UTF8.self))=\(String(decoding: value, as: UTF8.self))"]
    }
    let home = session.world.environment[.home] ?? ""
    let hasFile = (try? session.world.files.facts("\(home)/.netrc")) != nil
    return settings.isEmpty && !hasFile ? nil : settings
  }

  // MARK: Errors

  private func problem(_ result: ExternalTool.Result, isLocal: Bool) -> Problem {
    let message = "the Git repository \(url) cannot be read"
    // A file that the server omitted is missing, and nothing may be fetched to complete it.
    let isFiltered = isLocal && result.errors.includes("promisor")
    let isEnded =
      result.status > 128
      || [
        "died of signal", "invalid index-pack output", "Out of memory", "out of memory", "mmap failed",
        "File too large",
      ].contains {
        result.errors.includes($0)
      }
    if isFiltered || isEnded {
      return Problem(
        .pluginFailed, message,
        reason: isFiltered
          ? "a file in it is larger than \(PluginContents.sizeLimit >> 20) MiB"
          : "it is too large: git was limited to \(Self.limits.fileSize >> 20) MiB per file, 512 MiB of memory and 5 s of processor time",
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
        Check the URL. If the repository is private, git needs a credential helper or ~/.netrc, because it cannot prompt \
        here; or use git+ssh://.
        """
      default: "Check the path."
      }
    return Problem(.pluginFailed, message, reason: result.reason, hint: hint)
  }
}
