import Values

extension String {
  /// The title of a text at the edge of a long list, its first character as a capital: `É` for
  /// `élan`, in either encoding of the accent; nil if the text is empty. White space at the start
  /// does not count.
  package var indexTitle: String? {
    guard let first = drop(while: \.isWhitespace).first, let scalar = first.unicodeScalars.first else {
      return nil
    }
    // Title case, so that `Ǆ` becomes `ǅ`. The first one of a letter that becomes two, such as `ß`.
    let capital =
      scalar.properties.titlecaseMapping + String(String.UnicodeScalarView(first.unicodeScalars.dropFirst()))
    return capital.first.map { String($0) }
  }

  /// The first letter as a capital, in one encoding; nil if the text does not begin with a letter.
  var indexLetter: String? {
    guard let title = indexTitle, title.first?.isLetter == true else { return nil }
    return title.utf8.count == 1 ? title : title.precomposed
  }
}
