package import Session

/// Fetches from several providers that run in parallel: IFTTT's requests in the loop of the HTTP client, those of
/// plugins while it waits.
package final class FetchLoop {
  /// Sends requests to IFTTT, and calls `meanwhile` while they are in flight, as `HTTPClient.send` does.
  package typealias ConnectFetch = (_ meanwhile: () throws -> Duration?) throws -> Void

  private struct PluginFetch {
    let request: ProviderRequests.Request
    let starting: () -> Void
    let finish: (ProviderRequests.Outcome) throws -> Void
  }

  private let session: Session
  /// The one of IFTTT, which sends all of its requests together.
  private var connectFetch: ConnectFetch?
  private var pluginFetches: [PluginFetch] = []

  package init(in session: Session) { self.session = session }

  package func add(_ fetch: @escaping ConnectFetch) {
    precondition(connectFetch == nil, "the requests to IFTTT belong together")
    connectFetch = fetch
  }

  /// - Parameters:
  ///   - starting: called when the timeout of the request starts.
  ///   - finish: called with the outcome as soon as it is known. It must not send anything to IFTTT.
  package func add(
    _ request: ProviderRequests.Request, starting: @escaping () -> Void = {},
    finish: @escaping (ProviderRequests.Outcome) throws -> Void
  ) {
    pluginFetches.append(PluginFetch(request: request, starting: starting, finish: finish))
  }

  /// Starts all fetches and waits for their outcomes.
  /// - Throws: the errors of the fetches' closures, and ``Problem/interrupted`` after all plugins have stopped.
  package func run() throws {
    let requests = ProviderRequests(
      pluginFetches.map(\.request), starting: { [pluginFetches] in pluginFetches[$0].starting() }, in: session)
    try requests.run(
      alongside: { meanwhile in try connectFetch?(meanwhile) },
      each: { [pluginFetches] index, outcome in try pluginFetches[index].finish(outcome) })
  }
}
