import CommandLine
import PluginProtocol
import Plugins
import Session
import Text

enum PluginInstall: Command {
  struct Options: CommandOptions {
    var source = Required<String>()
    var sha256: String?
    var index: String?
    var allowsNewPermissions = false
  }

  static let name = "install"
  static let summary = "Install a plugin from a folder, archive, URL, Git repository or index"
  static var discussion: [String] {
    [
      """
      SOURCE is a plugin's folder, its plugin.json, its executable, an archive of its folder (.tar, .tar.gz, .tgz, \
      .zip), the https URL of an archive, a Git repository (git+https://HOST/PATH@TAG or git+file:///PATH@TAG), or the \
      name of a plugin in an index (NAME or NAME@VERSION). A name without a slash means a file or folder if one has \
      that name.
      """,
      """
      Before you confirm, the command shows the plugin's name, version, origin, hosts, credentials, environment, use \
      of the browser and of files, size, SHA-256 and signer. If a plugin of the same name is installed, it also shows \
      what changes: vendor, version, hosts, credentials and files. The new plugin inherits stored credentials only if \
      both manifests name the same vendor; other credentials of its name are removed. 'plugin rollback' restores the \
      replaced version.
      """,
      """
      An archive at a URL needs a checksum: --sha256, or a SHA256SUMS file in the same folder of the server. That file \
      proves that the download is intact, not who made the plugin, because it comes from the same server. Redirects \
      to http are not followed.
      """,
      """
      Without @TAG, the tag of the newest version that is not a pre-release is installed. Nothing in the repository is \
      run: no hook, filter or submodule.
      """,
      """
      If there is a signature beside the archive (its name with .sig), it must be valid. With --yes, its key must also \
      be trusted; see 'plugin trust add'. A signed plugin is replaced only by one with the same signer.
      """,
      """
      --yes covers the permissions of the installed version, but not additional ones: they need --allow-new-permissions or a \
      prompt. With --yes, NAME without a version neither downgrades a plugin nor changes the files of a version; \
      NAME@VERSION does. A version that had other files when it was installed earlier from the same origin also needs \
      a prompt.
      """,
      """
      The plugin is copied to the data folder, and its SHA-256 is saved in the store. If the copy changes later, it is \
      not run. Hidden files are skipped.
      """,
    ]
  }
  static var flags: [Flag<Options>] {
    [
      .value("sha256", .sha256, into: \.sha256, help: "Expected SHA-256 of the archive"),
      .value("index", .pluginIndexName, into: \.index, help: "Search only this index for NAME"),
      .allowNewPermissions(into: \.allowsNewPermissions),
    ]
  }
  static var positionals: [Positional<Options>] {
    [
      .required(
        .nonEmpty("SOURCE", completion: .file), into: \.source,
        help: "Folder, file, archive, URL or name of the plugin")
    ]
  }
  static var examples: [ExampleSchema] {
    [
      ExampleSchema("plugin install ./ifttt-hello --yes", "install from a folder without confirmation"),
      ExampleSchema("plugin install tides --yes", "install the newest version in an index"),
      ExampleSchema("plugin install tides@1.2.0 --yes", "install a certain version"),
    ]
  }
  static var shape: OutputSchema? { .one(PluginDetails.self) }

  static func run(_ options: Options, in session: Session) throws -> Output {
    let registry = try session.plugins.registry
    let source = options.source.value
    let candidate: PluginCandidate
    do {
      candidate = try OriginLookup(session: session, sha256: options.sha256, index: options.index).candidate(at: source)
    } catch let error as PluginContentsError {
      throw Problem(
        .pluginFailed, "\(source) cannot be installed", reason: error.description,
        hint: error.isUnbuilt
          ? """
          If it must be built first, install an archive of its releases, or clone its repository, build it, and \
          install the folder that was built.
          """
          : "See ifttt-plugin(5) for the files that a plugin may contain.")
    } catch let error as ManifestError {
      throw Problem.invalidManifest("\(source) cannot be installed", error)
    }
    let name = candidate.package.manifest.name.description
    let installation = try PluginInstallation(
      of: candidate, on: registry, in: session, allowingNewPermissions: options.allowsNewPermissions)
    guard try installation.perform() else {
      return session.dryRun(change: "Would install plugin '\(name)'.")
    }
    return .one(try PluginDetails(registry.entry(named: name), in: session, after: .installed))
  }
}

extension Flag {
  static func allowNewPermissions(into path: @autoclosure @escaping OptionKeyPath<Options, Bool>) -> Flag {
    .toggle(
      "allow-new-permissions", into: path(),
      help: "With --yes, also grant permissions that the installed version does not have")
  }
}

extension ValueKind<String> {
  /// A SHA-256 in hexadecimal digits.
  fileprivate static var sha256: ValueKind {
    .parsed("SHA256", expected: "64 hexadecimal digits") { text in
      let digits = text.loweredASCII
      return ContentHash.isOne(digits) ? digits : nil
    }
  }
}
