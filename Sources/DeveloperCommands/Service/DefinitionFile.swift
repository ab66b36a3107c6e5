package import IFTTT
package import Session
import Text

extension Session {
  /// Reads a service definition.
  package func serviceDefinition(in file: String) throws -> ServiceDefinition {
    let bytes = try console.contents(of: file, for: "--definition", limit: 16 << 20)
    do throws(ServiceDefinitionError) { return try ServiceDefinition(parsing: bytes) } catch {
      throw Problem(
        .refused, "'\(file)' is not a service definition", reason: error.description,
        hint: "For its format: \(ifttt: "schema service-definition")")
    }
  }
}
