import Values

/// The titles at the edge of a long list: first letters as capitals.
package enum IndexTitle {
  /// Returns the first character of a text as a capital: `É` for `élan`, in either encoding of the
  /// accent; nil if the text is empty. White space at the start does not count.
  package static func first(of text: String) -> String? {
    guard let first = text.drop(while: \.isWhitespace).first, let scalar = first.unicodeScalars.first else {
      return nil
    }
    // Title case, so that `Ǆ` becomes `ǅ`. The first one of a letter that becomes two, such as `ß`.
    let capital =
      scalar.properties.titlecaseMapping + String(String.UnicodeScalarView(first.unicodeScalars.dropFirst()))
    return capital.first.map { String($0) }
  }

  /// Returns the first letter as a capital, in one encoding; nil if the text does not begin with a
  /// letter.
  static func letter(of text: String) -> String? {
    guard let title = first(of: text), title.first?.isLetter == true else { return nil }
    return title.utf8.count == 1 ? title : title.precomposed
  }
}
