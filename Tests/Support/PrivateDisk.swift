import Foundation

/// A private disk for shell scripts, which can be full, read-only or small. The disk is mounted in a mount namespace
/// that ends with the script, so the rest of the machine does not see it.
package enum PrivateDisk {
  /// Whether this machine allows a process to have private mounts.
  package static let isPossible: Bool = {
    guard let folder = try? ScratchFolder(), let shell = Tool("unshare") else { return false }
    let script = "mount -t tmpfs none \"$0\" && mount --bind \"$0\" \"$0\" && mount -o remount,bind,ro \"$0\""
    return (try? shell.run(prefix + ["sh", "-c", script, folder.path], in: folder))?.status == 0
  }()

  package static let requirement = "skipped: needs unshare(1) with mount namespaces"

  private static var prefix: [String] { geteuid() == 0 ? ["-m"] : ["-r", "-m"] }

  /// Run a script with additional shell functions. `disk SIZE` mounts a disk of that size at `$HOME_FOLDER` and keeps
  /// its contents. `fill` uses all remaining space, `free` releases it, and `readonly_disk` makes the folder
  /// read-only.
  /// - Parameters:
  ///   - home: An existing folder.
  ///   - program: The path in `$IFTTT`.
  package static func run(
    _ script: String, home: String, program: String, environment: [String: String] = [:]
  ) throws -> Tool.Outcome {
    let functions = """
      disk() {
        keep=$(mktemp -d) && cp -a "$HOME_FOLDER/." "$keep/" &&
          mount -t tmpfs -o size=$1,mode=700 none "$HOME_FOLDER" && cp -a "$keep/." "$HOME_FOLDER/" && rm -r "$keep"
      }
      fill() { cat /dev/zero >"$HOME_FOLDER/filler" 2>/dev/null || true; }
      free() { rm "$HOME_FOLDER/filler"; }
      readonly_disk() {
        mount --bind "$HOME_FOLDER" "$HOME_FOLDER" && mount -o remount,bind,ro "$HOME_FOLDER" && cd "$HOME_FOLDER"
      }
      tell() { "$IFTTT" "$@"; echo "exit $?"; }

      """
    let variables = ["HOME_FOLDER": home, "IFTTT_HOME": home, "IFTTT": program].merging(environment) { $1 }
    return try Tool.required("unshare").run(
      prefix + ["sh", "-c", functions + script], in: ScratchFolder(), environment: variables)
  }
}
