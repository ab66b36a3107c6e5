/// The first error in a command line, before it is described in words.
struct SyntaxError: Error {
  enum Problem {
    /// An unknown name below the path of a group.
    case unknownCommand(under: [String])
    /// The option as typed, including dashes.
    case unknownOption(String)
    case missingValue(OptionSchema)
    case unwantedValue(OptionSchema)
    case invalidValue(of: Subject, ParsedValue, ValueError)
    case unexpectedArgument
    case missingArgument(ArgumentSchema)
    case conflict(String)
  }

  enum Subject {
    case option(OptionSchema)
    case argument(ArgumentSchema)
  }

  let problem: Problem
  /// The position of the caret; nil if the error is not on the command line.
  let place: Place?

  /// A range of bytes in one argument of the argument vector.
  struct Place: Equatable {
    /// The index of the argument, or the number of arguments for the position after the last.
    let word: Int
    let bytes: Range<Int>
  }

  init(_ problem: Problem, at place: Place?) { (self.problem, self.place) = (problem, place) }

  init(_ subject: Subject, _ given: ParsedValue, _ problem: ValueError) {
    var place: Place?
    if case .commandLine(let word, let bytes) = given.source {
      // The text of a file name may be longer than its bytes.
      let isSame = given.value?.utf8.count == bytes.count
      let faulty = problem.bytes.map { bytes.lowerBound + $0.lowerBound..<bytes.lowerBound + $0.upperBound }
        .flatMap { isSame ? $0 : nil }
      place = Place(word: word, bytes: faulty ?? bytes)
    }
    self.init(.invalidValue(of: subject, given, problem), at: place)
  }

  var isUnknownOption: Bool { if case .unknownOption = problem { true } else { false } }

  /// Whether it is about an operand, or about the lack of one.
  var isOfOperand: Bool {
    switch problem {
    case .unexpectedArgument, .missingArgument, .unknownCommand, .invalidValue(of: .argument, _, _): true
    case .unknownOption, .missingValue, .unwantedValue, .invalidValue, .conflict: false
    }
  }

  /// Whether it precedes another error on the command line. Errors that are not on the command line come last.
  func precedes(_ other: SyntaxError) -> Bool {
    guard let place else { return false }
    guard let otherPlace = other.place else { return true }
    return (place.word, place.bytes.lowerBound) < (otherPlace.word, otherPlace.bytes.lowerBound)
  }
}
