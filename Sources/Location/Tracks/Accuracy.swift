/// The accuracy of positions, as sources state it.
enum Accuracy {
  /// The JSON keys for an accuracy radius.
  static let keys = ["accuracy", "acc", "horizontal_accuracy"]

  /// The assumed error of the distance to one satellite, in meters. Receivers and phones usually use it to convert a
  /// dilution of precision into a radius that contains two of three positions. gpsd assumes 15, for 19 of 20.
  static let rangeError = 5.0

  /// The accuracy for a horizontal dilution of precision, or nil if the dilution is invalid.
  static func meters(ofDilution dilution: Double) -> Double? {
    dilution > 0 ? meters(dilution * rangeError) : nil
  }

  /// The accuracy, or nil if the value is not a finite number. Negative values are preserved, because phones use them
  /// to mark an invalid position.
  static func meters(_ meters: Double) -> Double? { meters.isFinite ? meters : nil }
}
