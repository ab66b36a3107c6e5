#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Which of this program's environment variables another program sees. Only ``all`` includes variables of this program,
/// which hold credentials.
package enum EnvironmentFilter: Sendable, Equatable {
  /// The variables of any program, such as a page formatter.
  case basic
  /// Also the variables of programs with windows: a browser, a key ring.
  case desktop
  /// Also the variables of password managers and their agents: for the command that prints the store's key.
  case keys
  /// All variables: for the user's own command.
  case all

  fileprivate var names: [String] {
    switch self {
    case .basic, .all: Self.basicNames
    case .desktop: Self.basicNames + Self.desktopNames
    case .keys: Self.basicNames + Self.desktopNames + Self.keyNames
    }
  }

  /// The beginnings of further names.
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

  /// Beside display and session bus those by which xdg-open recognizes the desktop, and those of Windows' Linux.
  private static let desktopNames = [
    "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS", "BROWSER", "DESKTOP_SESSION",
    "KDE_FULL_SESSION", "KDE_SESSION_VERSION", "GNOME_DESKTOP_SESSION_ID", "WSL_DISTRO_NAME", "WSL_INTEROP",
  ]

  private static let keyNames = ["GNUPGHOME", "GPG_TTY", "SSH_AUTH_SOCK"]
}

extension Environment {
  /// `NAME=value` for each that is set; nil for this process's own environment as it is.
  package func visible(_ variables: EnvironmentFilter) -> [String]? {
    if variables == .all { return nil }
    let (names, prefixes) = (variables.names, variables.prefixes)
    return self.names.filter { name in names.contains(name) || prefixes.contains { name.hasPrefix($0) } }
      .compactMap { name in self[name].map { "\(name)=\($0)" } }
  }
}
