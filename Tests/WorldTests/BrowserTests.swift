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
    func theUsersOwnBrowsersComeFirst(variable: String, named: [[String]]) {
      let commands = BrowserCommand.candidates(environment: ["BROWSER": variable], url: Self.url)
      #expect(commands.dropLast() == named[...])
      #expect(commands.last?.last == Self.url)
    }

    @Test func theFirstThatStartsIsUsed() throws {
      let folder = TemporaryFolder()
      mkfifo(folder["shown"], 0o600)
      folder.write("browser", "#!/bin/sh\nprintf %s \"$1\" > '\(folder["shown"])'\n", mode: 0o700)
      let interruption = TestInterruption()
      let processes = LiveProcesses(
        interruption: interruption, environment: ["BROWSER": "/no/such/browser:\(folder["browser"])"])
      try processes.openBrowser(Self.url)
      let shown = try LiveFiles(interruption: interruption).read(folder["shown"], limit: 1000)
      #expect(String(decoding: shown, as: UTF8.self) == Self.url)
    }

    /// As `xdg-open` does where there is nothing to open a page with.
    @Test func oneThatFailsAtOnceIsNone() throws {
      let folder = TemporaryFolder()
      folder.write("failing", "#!/bin/sh\nexit 3\n", mode: 0o700)
      let processes = LiveProcesses(interruption: TestInterruption(), environment: [:])
      #expect(throws: SystemError(exitStatus: 3, of: folder["failing"])) {
        try processes.openBrowser(Self.url, with: folder["failing"])
      }
      #expect(SystemError(exitStatus: 3, of: "xdg-open").description == "xdg-open: exit status 3")
    }

    @Test func afterOneThatFailsTheNextIsUsed() throws {
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
