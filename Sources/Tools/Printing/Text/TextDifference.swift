import Files
import Values

extension Value {
  /// Returns two values as people compare them: complete if they are short, otherwise the part around
  /// the difference, with `…` for omitted text, and about `limit` columns wide. Linear.
  func difference(to new: Value, limit: Int) -> (old: String, new: String) {
    var texts = (old: changeText, new: new.changeText)
    if texts.old.hasSameBytes(as: texts.new) {
      // For example a number and a string of its digits.
      texts = (JSONWriter.text(of: self), JSONWriter.text(of: new))
    } else if texts.old == texts.new {
      // For example two encodings of the same characters.
      texts = (DisplayText.spelledOut(texts.old), DisplayText.spelledOut(texts.new))
    }
    if DisplayText.fits(texts.old, in: limit), DisplayText.fits(texts.new, in: limit) { return texts }
    let shared = Value.common(&texts.old, &texts.new)
    let different = max(texts.old.utf8.count, texts.new.utf8.count) - shared.prefix - shared.suffix
    let context = max(limit / 4, (limit - different) / 2 - 1)
    return (
      Value.around(texts.old, shared.prefix, shared.suffix, context),
      Value.around(texts.new, shared.prefix, shared.suffix, context)
    )
  }

  /// Returns how many bytes two texts share at either end: complete scalars that do not overlap.
  private static func common(_ old: inout String, _ new: inout String) -> (prefix: Int, suffix: Int) {
    old.withUTF8 { old in
      new.withUTF8 { new in
        let shorter = min(old.count, new.count)
        var prefix = 0
        while prefix < shorter, old[prefix] == new[prefix] { prefix += 1 }
        while prefix > 0, isInside(old, prefix) || isInside(new, prefix) { prefix -= 1 }
        var suffix = 0
        while suffix < shorter - prefix, old[old.count - suffix - 1] == new[new.count - suffix - 1] {
          suffix += 1
        }
        while suffix > 0, isInside(old, old.count - suffix) { suffix -= 1 }
        return (prefix, suffix)
      }
    }
  }

  private static func isInside(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
    index < text.count && text[index] & 0xC0 == 0x80
  }

  private static func around(_ text: String, _ prefix: Int, _ suffix: Int, _ context: Int) -> String {
    let scalars = text.unicodeScalars
    let start = text.utf8.index(text.startIndex, offsetBy: prefix)
    let end = text.utf8.index(text.endIndex, offsetBy: -suffix)
    var from = scalars.index(start, offsetBy: -context, limitedBy: text.startIndex) ?? text.startIndex
    // A combining mark without its base character would be shown as an escape.
    while from > text.startIndex, from < start, scalars[from].properties.isGraphemeExtend {
      from = scalars.index(after: from)
    }
    let to = scalars.index(end, offsetBy: context, limitedBy: text.endIndex) ?? text.endIndex
    return (from > text.startIndex ? "…" : "") + text[from..<to] + (to < text.endIndex ? "…" : "")
  }

  /// The text of the value, quoted if it would be invisible: empty, or short with outer blanks.
  var changeText: String {
    switch self {
    case .null: "null"
    case .string(let text) where text.isEmpty || (text.hasOuterBlank && text.utf8.count <= 80):
      JSONWriter.text(of: self)
    default: text
    }
  }
}

extension String {
  /// True if the string begins or ends with a blank. Line breaks and tabs are visible as escapes.
  fileprivate var hasOuterBlank: Bool {
    [unicodeScalars.first, unicodeScalars.last].contains { $0?.properties.generalCategory == .spaceSeparator }
  }
}
