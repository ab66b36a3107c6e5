/// Shows letters that can be confused with ASCII letters as their code points: `p\u{430}ypal` is not `paypal`.
///
/// A word in another alphabet that cannot be confused with ASCII is unchanged. Only words that mix alphabets, or that
/// consist of confusable letters only, are changed.
package enum ConfusableText {
  package static func revealed(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 < 0x80 }) { return text }
    var result = String.UnicodeScalarView()
    var word: [Unicode.Scalar] = []
    for scalar in text.unicodeScalars {
      if scalar.properties.isAlphabetic || scalar.properties.numericType != nil || isMark(scalar) {
        word.append(scalar)
      } else {
        append(word, to: &result)
        word.removeAll()
        result.append(scalar)
      }
    }
    append(word, to: &result)
    return String(result)
  }

  private static func append(_ word: [Unicode.Scalar], to result: inout String.UnicodeScalarView) {
    let isForeign = word.contains { $0.properties.isAlphabetic && !isLatin($0) && !isConfusable($0) }
    guard word.contains(where: isConfusable), !isForeign || word.contains(where: isLatin) else {
      return result.append(contentsOf: word)
    }
    for scalar in word {
      if isConfusable(scalar) {
        result.append(contentsOf: (#"\u{"# + String(scalar.value, radix: 16) + "}").unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  private static func isLatin(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic && (scalar.value < 0x250 || 0x1e00...0x1eff ~= scalar.value)
      && !isConfusable(scalar)
  }

  static func isConfusable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x80: false
    // Full-width forms, mathematical letters, Roman numerals.
    case 0xff01...0xff5e, 0x1d400...0x1d7ff, 0x2160...0x217f: true
    default: lookalikes.contains(scalar)
    }
  }

  /// Letters that most typefaces draw like an ASCII letter or digit, or nearly so.
  private static let lookalikes = Set(
    [
      // Cyrillic
      "аАВеЕЗІіЈјКкМНоОрРсСТуУхХЅѕһԁԛԚԝԜҮүӀӏЬѵѴԌ",
      // Greek
      "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχωηϲϹϳͿ",
      // Armenian
      "օՕսՍոհցգզՏԼլքր",
      // Cherokee
      "ᎠᎡᎢᎥᎩᎪᎫᎬᎳᎷᎻᏀᏃᏎᏒᏔᏕᏙᏚᏞᏟᏢᏦᏧᏮᏳᏴ",
      // Latin phonetic letters, and small capitals
      "ıȷɑɡɩɪʏʙɢʜʟɴʀꜱꜰᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢǀ",
      // Letterlike symbols
      "ℂℊℋℌℍℎℐℑℒℓℕℙℚℛℜℝℤℨ\u{212a}ℬℭℯℰℱℳℴℹ",
    ].joined().unicodeScalars)
}
