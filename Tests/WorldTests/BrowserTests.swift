import Support
import Testing
import World

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension LiveTests {
  @Suite struct BrowserTests {
    static let url = "https://ifttt.com/access?a=%s&b=$(id)"

    @Test(arguments: [
      ("", []), ("firefox", [["firefox", url]]), ("w3m -M:links %s -x", [["w3m", "-M", url], ["links", url, "-x"]]),
      ("a --url=%s:b", [["a", "--url=\(url)"], ["b", url]]), ("::", []), ("100%", [["100%", url]]),
    ])
    func browsersFromTheVariableComeFirst(variable: String, named: [[String]]) {
      let commands = BrowserCommand.candidates(environment: ["BROWSER": variable], url: Self.url)
      #expect(commands.dropLast() == named[...])
      #expect(commands.last?.last == Self.url)
    }

    /// Opens a browser that runs `command`, and returns the command's output.
    /// - Parameter environment: Receives the browser's path.
    private func output(of command: String, environment: (String) -> Environment) throws -> String {
      let folder = TemporaryFolder()
      mkfifo(folder["shown"], 0o600)
      folder.write("browser", "#!/bin/sh\n\(command) > '\(folder["shown"])'\n", mode: 0o700)
      let interruption = TestInterruption()
      let processes = LiveProcesses(interruption: interruption, environment: environment(folder["browser"]))
      try processes.openBrowser(Self.url)
      let shown = try LiveFiles(interruption: interruption).read(folder["shown"], limit: 10_000)
      return String(decoding: shown, as: UTF8.self)
    }

    @Test func usesTheFirstBrowserThatStarts() throws {
      let shown = try output(of: #"printf %s "$1""#) { ["BROWSER": "/no/such/browser:\($0)"] }
      #expect(shown == Self.url)
    }

    @Test func browserSeesDesktopVariablesButNoCredentials() throws {
      let shown = try output(of: "env") { browser in
        [
          "PATH": "/usr/bin:/bin", "DISPLAY": ":0", "XDG_CURRENT_DESKTOP": "X", "BROWSER": browser,
          "IFTTT_USER_TOKEN": "secret", "GITHUB_TOKEN": "secret",
        ]
      }
      let names = shown.split(separator: "\n").map { $0.prefix { $0 != "=" } }
      #expect(
        Set(names).subtracting(["PWD", "SHLVL", "_", "OLDPWD"]) == [
          "PATH", "DISPLAY", "XDG_CURRENT_DESKTOP", "BROWSER",
        ])
    }

    /// `xdg-open` behaves like this if it finds no browser.
    @Test func reportsABrowserThatFailsImmediately() throws {
      let folder = TemporaryFolder()
      folder.write("failing", "#!/bin/sh\nexit 3\n", mode: 0o700)
      let processes = LiveProcesses(interruption: TestInterruption(), environment: [:])
      #expect(throws: SystemError(exitStatus: 3, of: folder["failing"])) {
        try processes.openBrowser(Self.url, with: folder["failing"])
      }
      #expect(SystemError(exitStatus: 3, of: "xdg-open").description == "xdg-open: exit status 3")
    }

    @Test func triesTheNextBrowserAfterAFailure() throws {
      let folder = TemporaryFolder()
      folder.write("failing", "#!/bin/sh\nexit 3\n", mode: 0o700)
      folder.write("browser", "#!/bin/sh\nprintf %s \"$1\" > '\(folder["shown"])'\n", mode: 0o700)
      let processes = LiveProcesses(
        interruption: TestInterruption(), environment: ["BROWSER": "\(folder["failing"]):\(folder["browser"])"])
      try processes.openBrowser(Self.url)
      #expect(folder.text("shown") == Self.url)
    }
  }
}
