package import Foundation
package import HTTP
import Support
package import World

/// A home for activating a connection, with a simulated browser and user.
package final class Activator {
  package let home = Home()
  package let port = HeldPort()
  /// The events of successive waits. The last one is repeated.
  package var waits: [(Activator, _ limit: Duration) -> Result<WakeReason, InputError>] = []
  package var browser: Result<Void, SystemError> = .success(())
  package private(set) var pages: [Reply] = []

  package static let token = "Kw3x_R7nMs-2ZqVd1OeYt8LiHc4KuF0vGb5SjPyR2mExUzCl"
  package static let newToken = "N8wt_B2kLs-7YpQd4OeXr9MiHc1KuF0vGb5SjPyR2mExUzCl"

  package init(userToken: String? = nil) {
    home.listener = port
    home.secrets = [Self.token, Self.newToken]
    if let userToken { home.environment["IFTTT_USER_TOKEN"] = userToken }
    home.prepare = { [unowned self] test in
      test.processes.browser = browser
      test.input.whileWaiting = { [unowned self] (limit, _) throws(InputError) in
        try (waits.count > 1 ? waits.removeFirst() : waits[0])(self, limit).get()
      }
    }
  }

  /// The page that was opened, or the URL that was printed.
  package var opened: URLComponents {
    let shown = home.last?.processes.pages.last ?? home.last?.errors.lines.last { $0.hasPrefix("https://ifttt.com/") }
    return URLComponents(string: shown ?? "") ?? URLComponents()
  }

  package func item(_ name: String) -> String? { opened.queryItems?.first { $0.name == name }?.value }

  /// The path and query of the callback URL.
  package var target: String {
    let address = URLComponents(string: item("sdk_return_to") ?? item("redirect_uri") ?? "") ?? URLComponents()
    return address.percentEncodedPath + (address.percentEncodedQuery.map { "?" + $0 } ?? "")
  }

  /// Add a redirect to the callback URL with these parameters.
  package func returns(_ query: String) {
    waits.append { activator, _ in
      let target = activator.target
      if let page = activator.port.answer(target + (target.contains("?") ? "&" : "?") + query) {
        activator.pages.append(page)
      }
      return .success(.message)
    }
  }

  /// Add an event without a result, with a side effect.
  package func meanwhile(_ body: @escaping (Activator) -> Void) {
    waits.append { activator, _ in
      body(activator)
      return .success(.message)
    }
  }

  /// Add a wait that ends with a timeout.
  package func nothingHappens() {
    waits.append { activator, limit in
      activator.home.last?.clock.advance(by: limit)
      return .success(.timeUp)
    }
  }

  /// Add input that is typed, pasted or piped in.
  package func inputComes() { waits.append { _, _ in .success(.input) } }
}
