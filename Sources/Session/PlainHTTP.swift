package import HTTP
import Store
import Text
import World

/// The rule about plain http in one run: the hosts that the user allowed, the errors for other hosts, and the note that
/// tokens can be read in transit.
package final class PlainHTTP {
  private let storage: StoreAccess
  private let console: Console
  private var knownHosts: Set<HostName>?
  /// Whether the note was written. Sessions of the same run share it.
  private var noted = Once()

  private final class Once { var isDone = false }

  init(_ storage: StoreAccess, _ console: Console) { (self.storage, self.console) = (storage, console) }

  /// Writes the note only once for this run and another one that belongs to it.
  func share(with other: PlainHTTP) { noted = other.noted }

  /// The allowed hosts in addition to this machine: those of the environment and of the profile.
  /// - Throws: `usage` for an invalid list in the environment.
  var hosts: Set<HostName> {
    get throws {
      if let knownHosts { return knownHosts }
      let hosts = try environmentHosts.union(storedNames)
      knownHosts = hosts
      return hosts
    }
  }

  private var environmentHosts: Set<HostName> {
    get throws {
      let variable = EnvironmentVariable.allowHTTP
      guard let list = storage.world.environment[variable], !list.isEmpty else { return [] }
      do throws(WebURLError) { return try HostName.list(parsing: list) } catch {
        throw Problem(
          .usage, "\(variable): not a list of hosts", reason: error.description,
          hint: "Set it to names without ports, separated by commas, such as \(variable)=ifttt,sandbox.test.")
      }
    }
  }

  /// The hosts that the profile allows. A profile that cannot be read is reported by the commands that need it.
  private var storedNames: [HostName] {
    guard let name = try? storage.profileName, let profile = try? storage.store.profile(name.description),
      let list = profile.settings[.allowHTTP], let names = try? HostName.list(parsing: list)
    else { return [] }
    return names.sorted(by: \.description)
  }

  /// A URL that the user passed, or that was stored.
  /// - Throws: ``WebURLError``, or a ``Problem`` about the list of hosts.
  package func url(_ text: String) throws -> WebURL {
    do throws(WebURLError) { return try WebURL(parsing: text) } catch {
      guard error.plainHost != nil else { throw error }
      return try WebURL(parsing: text, allowing: hosts)
    }
  }

  /// The URL of an option.
  /// - Throws: `usage` for a URL that is not accepted.
  package func url(_ text: String, of option: String) throws -> WebURL {
    do { return try url(text) } catch let error as WebURLError {
      throw Problem(.usage, "\(option): not a usable URL", reason: error.description, hint: advice(error) ?? "")
    }
  }

  /// Checks a base URL that a profile is about to store.
  /// - Parameter list: The hosts that the profile is about to allow, separated by commas.
  /// - Throws: `usage` for plain http to a host that is not allowed.
  package func check(_ text: String, alsoAllowing list: String) throws {
    do throws(WebURLError) { _ = try WebURL(parsing: text) } catch {
      guard let host = error.plainHost else { return }
      let listed = (try? HostName.list(parsing: list)) ?? []
      guard !listed.contains(host), try !environmentHosts.contains(host) else { return }
      throw Problem(
        .usage, "plain http is not allowed for '\(host)'", reason: error.description,
        hint:
          "Use https, or add --allow-http \(list.isEmpty ? "" : list + ",")\(host); tokens then travel in the clear.")
    }
  }

  /// What to do about a URL that was rejected because of plain http; nil for another reason.
  func advice(_ error: WebURLError) -> Hint? {
    guard let host = error.plainHost else { return nil }
    let others = storedNames.filter { $0 != host }
    let list = (others + [host]).map(\.description).joined(separator: ",")
    let advice: Hint =
      "Use https, or allow plain http, over which tokens can be read in transit: set \(EnvironmentVariable.allowHTTP)=\(list)"
    guard let profile = try? storage.profileName, !profile.isSandbox else { return advice + "." }
    return advice + ", or run \(ifttt: "profile set \(profile) --allow-http \(list)")."
  }

  /// Writes a note before the first request that leaves this machine without encryption.
  func note(_ host: String) {
    guard !noted.isDone else { return }
    noted.isDone = true
    console.note("Requests to \(host) use plain http: tokens travel in the clear, and the network can read them.")
  }
}
