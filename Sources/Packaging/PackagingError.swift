/// An error as a sentence.
struct PackagingError: Error, CustomStringConvertible {
  /// The sentence.
  let description: String

  /// Makes an error.
  init(_ description: String) {
    self.description = description
  }
}
