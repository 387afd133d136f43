import PlainText

/// Two values as a person compares them: whole where they are short, else what is around the difference, with `…` for what is left out.
struct TextDifference: Sendable, Hashable {
  let old: String
  let new: String

  /// Each side takes about `limit` columns at most; the caller cuts it. Linear in the values.
  init(_ old: Value, _ new: Value, limit: Int) {
    var texts = (old: old.changeText, new: new.changeText)
    if texts.old.hasSameBytes(as: texts.new) {
      // A number and a string of its digits.
      texts = (JSONWriter.text(of: old), JSONWriter.text(of: new))
    } else if texts.old == texts.new {
      // Two ways to write the same characters.
      texts = (DisplayText.spelledOut(texts.old), DisplayText.spelledOut(texts.new))
    }
    guard !DisplayText.fits(texts.old, in: limit) || !DisplayText.fits(texts.new, in: limit) else {
      (self.old, self.new) = texts
      return
    }
    let shared = TextDifference.common(&texts.old, &texts.new)
    let different = max(texts.old.utf8.count, texts.new.utf8.count) - shared.prefix - shared.suffix
    let context = max(limit / 4, (limit - different) / 2 - 1)
    self.old = TextDifference.around(texts.old, shared.prefix, shared.suffix, context)
    self.new = TextDifference.around(texts.new, shared.prefix, shared.suffix, context)
  }

  /// How many bytes two texts share at their start and at their end, in whole scalars and without counting one twice.
  private static func common(_ old: inout String, _ new: inout String) -> (prefix: Int, suffix: Int) {
    old.withUTF8 { old in
      new.withUTF8 { new in
        let shorter = min(old.count, new.count)
        var prefix = 0
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        while prefix > 0, isInside(old, prefix) || isInside(new, prefix) { prefix -= 1 }
        var suffix = 0
        while suffix < shorter - prefix, old[old.count - suffix - 1] == new[new.count - suffix - 1] { suffix += 1 }
        while suffix > 0, isInside(old, old.count - suffix) { suffix -= 1 }
        return (prefix, suffix)
      }
    }
  }

  /// Whether a scalar goes on at this byte.
  private static func isInside(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index < text.count && text[index] & 0xC0 == 0x80
  }

  private static func around(_ text: String, _ prefix: Int, _ suffix: Int, _ context: Int) -> String {
    let scalars = text.unicodeScalars
    let start = text.utf8.index(text.startIndex, offsetBy: prefix)
    let end = text.utf8.index(text.endIndex, offsetBy: -suffix)
    var from = scalars.index(start, offsetBy: -context, limitedBy: text.startIndex) ?? text.startIndex
    // A mark without its letter would be shown as an escape.
    while from > text.startIndex, from < start, scalars[from].properties.isGraphemeExtend { from = scalars.index(after: from) }
    let to = scalars.index(end, offsetBy: context, limitedBy: text.endIndex) ?? text.endIndex
    return (from > text.startIndex ? "…" : "") + text[from..<to] + (to < text.endIndex ? "…" : "")
  }
}

extension Value {
  /// Its text, quoted where it would not be seen: empty, or a short one with blanks at an end.
  var changeText: String {
    switch self {
    case .null: "null"
    case .string(let text) where text.isEmpty || (text.hasOuterBlank && text.utf8.count <= 80): JSONWriter.text(of: self)
    default: text
    }
  }
}

extension String {
  /// Line breaks and tabs are seen anyway, as escapes.
  fileprivate var hasOuterBlank: Bool {
    [unicodeScalars.first, unicodeScalars.last].contains { $0?.properties.generalCategory == .spaceSeparator }
  }
}
