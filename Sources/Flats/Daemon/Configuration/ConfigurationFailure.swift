import Files
package import Values

package struct ConfigurationFailure: Error, Hashable {
  package enum Kind: Hashable {
    case missing
    /// The file cannot be read, or others could have written it.
    case denied
    case invalid
  }

  package struct Mistake: Hashable, CustomStringConvertible {
    package let file: String
    /// The place of the mistake; nil if the mistake concerns the complete file.
    package let place: TextPlace?
    /// A sentence that says what is wrong and what to do.
    package let message: String

    init(_ file: String, _ place: TextPlace? = nil, _ message: String) {
      self.file = file
      self.place = place
      self.message = message
    }

    package var description: String {
      DisplayText.safe("\(file)\(place.map { ":\($0.line):\($0.column)" } ?? ""): \(message)")
    }
  }

  /// The kind of the failure, for the exit code.
  package let kind: Kind
  /// All mistakes, in the order of the file. Not empty.
  package let errors: [Mistake]
}
