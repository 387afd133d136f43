/// The level of caution for writing. The next level is used if the result of the last one did not
/// read back as wanted.
enum YAMLCaution: Int, CaseIterable, Comparable {
  case none
  /// No block scalars, because they include line breaks that follow them.
  case noBlockScalars
  /// Everything on one line, in brackets and double quotes.
  case oneLine

  static func < (a: YAMLCaution, b: YAMLCaution) -> Bool { a.rawValue < b.rawValue }
}
