package import Text

/// Hides possible secrets in a command line that is shown or recorded.
///
/// No option of the program takes a secret as its value; the mask protects users who type one anyway.
struct SecretMask {
  let rawArguments: [RawArgument]
  let lookup: OptionLookup
  /// The credentials that are known before the command line is parsed.
  var known = Redactor([])
  /// Whether to mask every argument that looks like a secret. A recorded command line must run again, so it keeps
  /// such arguments: an id may look the same.
  var hidesLookalikes = false

  /// The text that replaces a hidden part.
  static func shown(insteadOf bytes: some Collection<UInt8>) -> String {
    let text = Secret.masked(String(decoding: bytes, as: UTF8.self))
    return text.unicodeScalars.allSatisfy(\.showsAsItself) ? text : "…"
  }

  /// The bytes of an argument to hide, if they begin before `end`, the end of the part that is shown.
  func range(in index: Int, before end: Int) -> Range<Int>? {
    let bytes = rawArguments[index].bytes
    if isSecretOptionValue(index) { return 0..<bytes.count }
    // A recorded path such as /opt/use/walk.gpx must not be hidden, so only IFTTT's own host counts there.
    if WebhookAddress.firstKey(in: bytes, before: end, hosts: hidesLookalikes ? .any : .ifttt) != nil {
      return 0..<bytes.count
    }
    if hidesLookalikes, let token = token(in: index) { return token }
    if let password = SecretForms.password(in: bytes.prefix(end)) { return password }
    if let known = known.firstRange(in: bytes) { return known }
    guard let start = Self.valueStart(in: bytes.prefix(end)), start < bytes.count else { return nil }
    return start..<bytes.count
  }

  /// The part of an argument, or of an option's value, from its first to its last token.
  private func token(in index: Int) -> Range<Int>? {
    let bytes = rawArguments[index].bytes
    var value = bytes[...]
    if rawArguments[index].hasOptionForm {
      guard let sign = bytes.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      value = bytes[(sign + 1)...]
    }
    let tokens = SecretForms.tokens(in: value)
    guard let first = tokens.first, let last = tokens.last else { return nil }
    return first.lowerBound..<last.upperBound
  }

  /// Whether the value of an option with this name may be a secret. A file name is not a secret.
  static func hidesValue(of name: String) -> Bool { SecretNames.announces(name) }

  /// A value without the bytes after a name that indicates a secret, and without the password of a URL.
  static func masked(_ value: [UInt8]) -> [UInt8] {
    var value = value
    if let start = valueStart(in: value[...]), start < value.count {
      value.replaceSubrange(start..., with: shown(insteadOf: value[start...]).utf8)
    }
    if let password = SecretForms.password(in: value[...]) {
      value.replaceSubrange(password, with: shown(insteadOf: value[password]).utf8)
    }
    return value
  }

  /// Whether an argument is the value of an option that may take a secret.
  private func isSecretOptionValue(_ index: Int) -> Bool {
    let argument = rawArguments[index]
    guard index > 0, !argument.bytes.isEmpty, !(argument.hasLongForm && lookup.long(argument.bytes[2...]) != nil) else {
      return false
    }
    let name = rawArguments[index - 1]
    // `config set service-key KEY`, as in other programs.
    if hidesLookalikes, !argument.hasOptionForm, !name.hasOptionForm {
      let word = name.text.lowercased()
      // `token set TOKEN` too.
      return word.hasSuffix("-key") || word.hasSuffix("_key")
        || word == "set" && index > 1 && rawArguments[index - 2].text.lowercased() == "token"
    }
    guard name.hasOptionForm, name.bytes.count <= 64, !name.bytes.contains(UInt8(ascii: "=")),
      SecretNames.announces(name.text)
    else { return false }
    guard name.hasLongForm, let match = lookup.long(name.bytes[2...]) else { return true }
    return match.schema.value != nil
  }

  /// The position after the first `NAME=` or `NAME:` whose name indicates a secret: in an option, an assignment, a
  /// header or a URL.
  private static func valueStart(in bytes: ArraySlice<UInt8>) -> Int? {
    let offset: Int? = bytes.withUnsafeBufferPointer { buffer in
      var end = 0
      while end < buffer.count {
        if buffer[end] == UInt8(ascii: "=") || buffer[end] == UInt8(ascii: ":") {
          var name = end
          while name > 0, end - name < 64, isName(buffer[name - 1]) { name -= 1 }
          if name < end, isSecret(String(decoding: buffer[name..<end], as: UTF8.self)) { return end + 1 }
        }
        end += 1
      }
      return nil
    }
    return offset.map { bytes.startIndex + $0 }
  }

  private static func isSecret(_ name: String) -> Bool {
    name.hasPrefix("-") ? SecretNames.announces(name) : SecretNames.holdsInArgument(name)
  }

  private static func isName(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-_.".utf8.contains(byte) }
}

// MARK: Typed secrets

extension SecretMask {
  /// The secrets that were typed, as they may appear elsewhere: in an error, a URL or a body.
  /// - Parameter isPath: whether a text is the path of an existing file, or of a file in an existing folder.
  func typed(isPath: (String) -> Bool) -> [Secret] {
    rawArguments.indices.flatMap { index -> [Secret] in
      let bytes = rawArguments[index].bytes
      guard bytes.count <= 1 << 16 else { return [] }
      if isSecretOptionValue(index) { return Self.spellings(of: bytes[...]) }
      var ranges: [Range<Int>] = []
      if let password = SecretForms.password(in: bytes[...]) { ranges.append(password) }
      if let start = Self.valueStart(in: bytes[...]) { ranges.append(start..<bytes.count) }
      let (option, value) = assignment(at: index)
      let isFile = option.map { $0.hasSuffix("-file") && SecretNames.announces(String($0.dropLast(5))) } ?? false
      if isFile, !Self.isFileName(value) {
        if !isPath(String(decoding: value, as: UTF8.self)) { ranges.append(value.indices) }
      } else if !(option.map(SecretNames.identifies) ?? false) {
        let tokens = SecretForms.tokens(in: value)
        if !tokens.isEmpty, !isPath(String(decoding: value, as: UTF8.self)) { ranges += tokens }
      }
      return ranges.flatMap { Self.spellings(of: bytes[$0]) }
    }
  }

  /// The value in an argument, and the name of the option that it belongs to.
  private func assignment(at index: Int) -> (option: String?, value: ArraySlice<UInt8>) {
    let bytes = rawArguments[index].bytes
    if rawArguments[index].hasLongForm, let sign = bytes.firstIndex(of: UInt8(ascii: "=")) {
      return (String(decoding: bytes[2..<sign], as: UTF8.self), bytes[(sign + 1)...])
    }
    guard index > 0, rawArguments[index - 1].hasLongForm, let match = lookup.long(rawArguments[index - 1].bytes[2...]),
      match.schema.value != nil
    else { return (nil, bytes[...]) }
    return (match.schema.name, bytes[...])
  }

  /// Whether a text is more likely the name of a missing file than a secret.
  private static func isFileName(_ text: ArraySlice<UInt8>) -> Bool {
    guard text.allSatisfy({ $0.isLetterOrDigit || $0 >= 0x80 || "-_./~+@%,".utf8.contains($0) }),
      SecretForms.tokens(in: text).isEmpty
    else { return false }
    return text.count < 16 || text.contains(UInt8(ascii: "/")) || text.contains(UInt8(ascii: "."))
  }

  /// A hidden text, and its parts that may appear alone: the value of one parameter, or the token after a scheme.
  private static func spellings(of bytes: ArraySlice<UInt8>) -> [Secret] {
    let text = String(decoding: bytes, as: UTF8.self)
    let parameter = text.split(separator: "&", omittingEmptySubsequences: false).first.map(String.init) ?? ""
    let words = text.split(separator: " ")
    let token = words.count == 2 ? String(words[1]) : ""
    return [text, parameter, Percent.decodeQuery(parameter), token].compactMap(Secret.init(parsing:))
  }
}

extension Parser {
  /// The secrets in a command line that errors, traces and dry runs may repeat.
  package func typedSecrets(_ rawArguments: [RawArgument], isPath: (String) -> Bool) -> [Secret] {
    SecretMask(rawArguments: rawArguments, lookup: Tokenizer(rawArguments, root: root, globals: globalOptions).lookup)
      .typed(isPath: isPath)
  }

  /// The command line in a form that is safe to record: possible secrets are masked, and invalid UTF-8 becomes
  /// U+FFFD.
  package func written(_ rawArguments: [RawArgument]) -> [String] {
    let scan = Tokenizer(rawArguments, root: root, globals: globalOptions)
    let mask = SecretMask(rawArguments: rawArguments, lookup: scan.lookup)
    return rawArguments.indices.map { index in
      guard let hidden = mask.range(in: index, before: rawArguments[index].bytes.count) else {
        return rawArguments[index].text
      }
      let bytes = rawArguments[index].bytes
      return RawArgument(bytes: bytes[..<hidden.lowerBound]).text + SecretMask.shown(insteadOf: bytes[hidden])
        + RawArgument(bytes: bytes[hidden.upperBound...]).text
    }
  }
}
