/// The program's own version (Semantic Versioning).
package let programVersion = "0.1.0"
