import PluginProtocol
import ProgramDriver
import Support
import Testing

@testable import Session

/// A plugin may use the browser only if its manifest declared it.
@Suite struct BrowserPermissionTests {
  private func ask(_ method: String, _ params: Value, usesBrowser: Bool) -> (
    result: Result<Value, PluginError>?, pages: [String]
  ) {
    let home = Home.tracking("aa")
    home.terminal = .interactive()
    home.environment["DISPLAY"] = ":0"
    let shelf = FakeProvider("shelf", [.showConnection, .enableConnection])
    shelf.usesBrowser = usesBrowser
    shelf.answers["connections/enable"] = { _ in [.ask(method, params), .enabled] }
    FakeProvider.install([shelf], in: home)
    let before = home.prepare
    home.prepare = { test in
      before(test)
      test.processes.browser = .success(())
    }
    home.run("connections enable shelf:s1")
    return (shelf.responses.first, home.last?.processes.pages ?? [])
  }

  @Test(
    arguments: [
      ("browser/open", ["url": "https://id.test/"]),
      ("redirect/open", ["url": "https://id.test/", "redirect_uri": "app://x", "state": "s"]),
    ] as [(String, Value)])
  func anUndeclaredBrowserIsDenied(_ method: String, _ params: Value) {
    let (result, pages) = ask(method, params, usesBrowser: false)
    guard case .failure(let error)? = result else { return #expect(Bool(false), "\(String(describing: result))") }
    #expect(error.code == "refused" && error.message == "plugin 'shelf' must not use the browser")
    #expect(error.reason?.contains("\"browser\": true") == true)
    #expect(error.hint?.contains("plugin install") == true)
    #expect(pages == [])
  }

  @Test func aDeclaredBrowserIsOpened() {
    let (result, pages) = ask("browser/open", ["url": "https://id.test/"], usesBrowser: true)
    #expect(result == .success(["opened": true]))
    #expect(pages == ["https://id.test/"])
  }
}
