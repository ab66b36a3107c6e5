/// The program's own version (Semantic Versioning).
package let version = "0.1.0"
