/// What sources say of how far the true place may be away.
enum Accuracy {
  /// What members of JSON that hold a radius are called.
  static let keys = ["accuracy", "acc", "horizontal_accuracy"]

  /// The error of one distance to a satellite, in metres: what receivers and phones usually assume when they turn a dilution
  /// of precision into a radius that holds two positions of three. gpsd assumes 15, for 19 of 20.
  static let rangeError = 5.0

  /// From a horizontal dilution of precision; nil for one that is none.
  static func metres(ofDilution dilution: Double) -> Double? {
    dilution > 0 ? metres(dilution * rangeError) : nil
  }

  /// Nil for what is no number. A negative one stays, by which phones say that the position is none.
  static func metres(_ metres: Double) -> Double? { metres.isFinite ? metres : nil }
}
