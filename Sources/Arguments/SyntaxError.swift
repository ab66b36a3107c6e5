/// The first thing wrong with a command line, before it is put into words.
struct SyntaxError: Error {
  enum Problem {
    /// A word that names no command below these words, which do.
    case unknownCommand(under: [String])
    /// What was typed, dashes and all.
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
  /// Where the caret goes; nil for what is not on the command line.
  let place: Place?

  /// Bytes of one word of the argument vector.
  struct Place: Equatable {
    /// The number of words for the place behind the last.
    let word: Int
    let bytes: Range<Int>
  }

  init(_ problem: Problem, at place: Place?) { (self.problem, self.place) = (problem, place) }

  init(_ subject: Subject, _ given: ParsedValue, _ problem: ValueError) {
    var place: Place?
    if case .commandLine(let word, let bytes) = given.source {
      let faulty = problem.bytes.map { bytes.lowerBound + $0.lowerBound..<bytes.lowerBound + $0.upperBound }
      place = Place(word: word, bytes: faulty ?? bytes)
    }
    self.init(.invalidValue(of: subject, given, problem), at: place)
  }

  /// Whether it stands before another on the line. What is not on the line comes last.
  func precedes(_ other: SyntaxError) -> Bool {
    guard let place else { return false }
    guard let otherPlace = other.place else { return true }
    return (place.word, place.bytes.lowerBound) < (otherPlace.word, otherPlace.bytes.lowerBound)
  }
}
