/// The providers of a run's subjects, each made when it is first needed.
package final class ChangeProviders {
  private let make: (Subject.Provider) throws -> any SubjectProvider
  private var made: [Subject.Provider: any SubjectProvider] = [:]

  package init(make: @escaping (Subject.Provider) throws -> any SubjectProvider) { self.make = make }

  package subscript(_ provider: Subject.Provider) -> any SubjectProvider {
    get throws {
      if let known = made[provider] { return known }
      let new = try make(provider)
      made[provider] = new
      return new
    }
  }

  /// - Throws: `credentials_missing` if the credentials are not those for all changes.
  func checkCredentials(for preview: ChangePreview) throws {
    for provider in made.values {
      try provider.checkCredentials(changesStatus: preview.changesStatus, changesSettings: preview.changesSettings)
    }
  }

  func finish() throws { for provider in made.values { try provider.finish() } }
}
