import IFTTT
import JSON

extension JSONValue {
  /// A field's value as shown to people: the label of an option, or the address of a place.
  package var asFieldValue: String {
    if let string { return string }
    if let array { return array.map(\.asFieldValue).joined(separator: ", ") }
    if let label = self["label"]?.string { return label }
    if let option = self["value"]?.string { return option }
    if case .location(let place)? = FieldValue(self) {
      let radius = place.radius.map { ", radius \(whole($0)) m" } ?? ""
      let point = "\(place.latitude.text), \(place.longitude.text)\(radius)"
      let words = [place.address, place.details].compactMap(\.self).first { !$0.isEmpty }
      return words.map { "\($0) (\(point))" } ?? point
    }
    return isNull ? "" : text
  }

  /// Rounds to the meter; a number that does not fit an `Int` is printed as received.
  private func whole(_ number: JSONNumber) -> String {
    number.double.flatMap { Int(exactly: $0.rounded()) }.map(String.init) ?? number.text
  }
}
