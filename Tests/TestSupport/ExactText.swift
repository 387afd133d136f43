/// A string that is compared by its bytes.
///
/// Swift's `String` regards composed and decomposed accents as equal, but files with such names are
/// different files.
package struct ExactText: Hashable, Comparable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral
{
  package let bytes: [UInt8]

  package init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package init(_ text: String) { bytes = Array(text.utf8) }

  package init(stringLiteral text: String) { self.init(text) }

  package var description: String { String(decoding: bytes, as: UTF8.self) }

  package static func < (left: ExactText, right: ExactText) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }

  package static func + (left: ExactText, right: ExactText) -> ExactText {
    ExactText(left.bytes + right.bytes)
  }
}
