import Synchronization

/// The folded forms of 256 scalars in one buffer.
final class FoldingPage: Sendable {
  let number: Int
  private let ends: [UInt16]
  private let bytes: [UInt8]

  fileprivate init(_ number: Int, _ folding: Folding) {
    self.number = number
    var ends: [UInt16] = [0]
    var bytes: [UInt8] = []
    for value in UInt32(number) << 8..<UInt32(number + 1) << 8 {
      if let scalar = Unicode.Scalar(value) {
        bytes.append(contentsOf: FoldingPage.folded(scalar, folding).utf8)
      }
      ends.append(UInt16(bytes.count))
    }
    self.ends = ends
    self.bytes = bytes
  }

  static func page(_ number: Int, _ folding: Folding) -> FoldingPage {
    switch folding {
    case .letterCase: FoldingTable.letterCase.page(number)
    case .accents: FoldingTable.accents.page(number)
    default: FoldingTable.all.page(number)
    }
  }

  func append(_ low: UInt8, to output: inout [UInt8]) {
    output.append(contentsOf: bytes[Int(ends[Int(low)])..<Int(ends[Int(low) + 1])])
  }

  private static func folded(_ scalar: Unicode.Scalar, _ folding: Folding) -> String {
    var text = String(scalar)
    if folding.contains(.accents) { text = withoutMarks(text) }
    if folding.contains(.letterCase) {
      text = caseFolded(text)
      // `İ` becomes `i` and a combining dot, and the result of case folding may be decomposed
      // further.
      if folding.contains(.accents) { text = withoutMarks(text) }
    }
    return text
  }

  private static func withoutMarks(_ text: String) -> String {
    let scalars = text.unicodeScalars.flatMap(CanonicalDecomposition.of)
    return String(
      String.UnicodeScalarView(scalars.filter { $0.properties.canonicalCombiningClass == .notReordered }))
  }

  /// Folds through upper case, which is the same for lower case letters that fold to one another:
  /// `ß` and `ẞ`, `σ` and `ς`, `s` and `ſ`.
  private static func caseFolded(_ text: String) -> String {
    var folded = ""
    for scalar in text.unicodeScalars {
      // Its upper case is `I`, but default case folding does not fold it to `i`.
      if scalar == "ı" {
        folded.unicodeScalars.append(scalar)
      } else {
        for lower in scalar.properties.lowercaseMapping.unicodeScalars {
          for upper in lower.properties.uppercaseMapping.unicodeScalars {
            folded += upper.properties.lowercaseMapping
          }
        }
      }
    }
    return folded
  }
}

/// The folded forms of all scalars beyond ASCII, computed on demand in pages of 256 scalars.
///
/// Thread-safe without a lock: two threads may compute the same page at the same time; one result
/// is kept, and both are equal.
private struct FoldingTable: ~Copyable, Sendable {
  private let folding: Folding
  private let pages: InlineArray<0x1100, AtomicLazyReference<FoldingPage>>

  init(_ folding: Folding) {
    self.folding = folding
    pages = InlineArray { _ in AtomicLazyReference() }
  }

  static let letterCase = FoldingTable(.letterCase)
  static let accents = FoldingTable(.accents)
  static let all = FoldingTable(.all)

  borrowing func page(_ number: Int) -> FoldingPage {
    pages[number].load() ?? pages[number].storeIfNil(FoldingPage(number, folding))
  }
}
