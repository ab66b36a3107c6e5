/// Assigns the operands to a command's positional arguments.
enum OperandAssignment {
  /// The assignment of operands.
  /// - Returns: for each operand the index of its argument, up to the number that fit, and the first required
  ///   argument without an operand.
  static func of(_ count: Int, to arguments: [ArgumentSchema]) -> (places: [Int], missing: Int?) {
    // Required arguments come first; the remaining operands go to the others from left to right.
    var spare = count - arguments.count { $0.isRequired }
    var places: [Int] = []
    for (index, argument) in arguments.enumerated() {
      var share = argument.isRequired ? 1 : 0
      if spare > 0 {
        let more = argument.isRepeatable ? spare : 1 - share
        share += more
        spare -= more
      }
      if argument.isRequired, places.count == count { return (places, index) }
      places += Array(repeating: index, count: min(share, count - places.count))
    }
    return (places, nil)
  }
}
