import Connect
import JSON

extension JSONValue {
  /// A field's value as its user would say it: the label of an option, the address of a place.
  package var asFieldValue: String {
    if let string { return string }
    if let array { return array.map(\.asFieldValue).joined(separator: ", ") }
    if let label = self["label"]?.string { return label }
    if let option = self["value"]?.string { return option }
    if case .location(let place)? = FieldValue(self) {
      let radius = place.radius.map { ", \(whole($0)) m around" } ?? ""
      let point = "\(place.latitude.text), \(place.longitude.text)\(radius)"
      let words = [place.address, place.details].compactMap(\.self).first { !$0.isEmpty }
      return words.map { "\($0) (\(point))" } ?? point
    }
    return isNull ? "" : text
  }

  /// To the metre; what no `Int` holds stands as it was sent.
  private func whole(_ number: JSONNumber) -> String {
    number.double.flatMap { Int(exactly: $0.rounded()) }.map(String.init) ?? number.text
  }
}
