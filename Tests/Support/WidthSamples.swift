/// Texts and their widths from the wcwidth package for Python, which uses other tables and rules. `Tests/Widths/generate`
/// writes them.
package enum WidthSamples {
  package static func all() throws -> [(text: String, width: Int)] {
    try Checkout.text("Tests/Widths/samples.tsv").split(separator: "\n").map { line in
      let parts = line.split(separator: "\t")
      let scalars = parts[1].split(separator: " ").compactMap { UInt32($0, radix: 16) }.compactMap(Unicode.Scalar.init)
      return (String(String.UnicodeScalarView(scalars)), Int(parts[0]) ?? -1)
    }
  }
}
