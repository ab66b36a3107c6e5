#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The environment variables of this program that are visible to another program. Only ``all`` includes the program's
/// own variables, which hold credentials.
package enum EnvironmentFilter: Sendable, Equatable {
  /// The variables that any program needs, such as a pager.
  case basic
  /// Also the variables that graphical programs need, such as a browser or a keyring.
  case desktop
  /// Also the variables of password managers and their agents, for the command that prints the store's key.
  case keys
  /// All variables, for the user's own command.
  case all

  fileprivate var names: [String] {
    switch self {
    case .basic, .all: Self.basicNames
    case .desktop: Self.basicNames + Self.desktopNames
    case .keys: Self.basicNames + Self.desktopNames + Self.keyNames
    }
  }

  /// The prefixes of further variable names.
  fileprivate var prefixes: [String] {
    switch self {
    case .basic, .all: ["LC_"]
    case .desktop: ["LC_", "XDG_"]
    case .keys: ["LC_", "XDG_", "PASSWORD_STORE_"]
    }
  }

  private static let basicNames = [
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "LANGUAGE", "TZ", "TERM", "TMPDIR", "NO_COLOR",
    "HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy", "NO_PROXY", "no_proxy",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE",
  ]

  /// The display and session bus, the variables that let xdg-open detect the desktop, and those of WSL.
  private static let desktopNames = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "BROWSER", "DESKTOP_SESSION",
    "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "GNOME_DESKTOP_SESSION_ID", "WSL_DISTRO_NAME", "WSL_INTEROP",
  ]

  private static let keyNames = ["GNUPGHOME", "GPG_TTY", "SSH_AUTH_SOCK"]
}

extension Environment {
  /// Returns the visible variables as `NAME=value`; nil to inherit this process's environment unchanged.
  package func visible(_ variables: EnvironmentFilter) -> [String]? {
    if variables == .all { return nil }
    let (names, prefixes) = (variables.names, variables.prefixes)
    return self.names.filter { name in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
      .compactMap { name in self[name].map { "\(name)=\($0)" } }
  }
}
