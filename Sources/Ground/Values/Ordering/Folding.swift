import Synchronization

/// The differences that searching and sorting ignore: letter case, accents, or both.
///
/// Case is folded by Unicode's full default case folding (`ß` as `ss`, `ς` as `σ`; `ı` stays).
/// Accents are removed by canonical decomposition and dropping the combining marks, so composed and
/// decomposed text fold to the same bytes. Hangul syllables remain composed.
package struct Folding: OptionSet, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) {
    self.rawValue = rawValue & 3
  }

  package static let letterCase = Folding(rawValue: 1)
  package static let accents = Folding(rawValue: 2)
  package static let all: Folding = [.letterCase, .accents]

  package func folded(_ text: String) -> [UInt8] {
    var text = text
    var output: [UInt8] = []
    text.withUTF8 { fold(UnsafeRawBufferPointer($0), into: &output) }
    return output
  }

  /// Appends the folded form of UTF-8. Invalid bytes are copied. Linear.
  package func fold(_ bytes: UnsafeRawBufferPointer, into output: inout [UInt8]) {
    var index = foldASCII(bytes, from: 0, into: &output)
    guard index < bytes.count else { return }
    guard !isEmpty else {
      output.append(contentsOf: bytes[index...])
      return
    }
    var page: FoldingPage?
    while index < bytes.count {
      if bytes[index] < 0x80 {
        index = foldASCII(bytes, from: index, into: &output)
      } else if let (scalar, length) = bytes.scalar(at: index) {
        index += length
        let whole =
          contains(.accents) ? Unicode.Scalar.composeHangul(scalar, with: bytes, at: &index) : scalar
        append(whole, to: &output, &page)
      } else {
        output.append(bytes[index])
        index += 1
      }
    }
  }

  /// Appends the folded form of a scalar beyond ASCII. Most text uses only one or two pages.
  private func append(_ scalar: UInt32, to output: inout [UInt8], _ page: inout FoldingPage?) {
    // Han and Hangul have neither case nor accents.
    if (0x3400..<0xA000).contains(scalar) || (0xAC00..<0xD7A4).contains(scalar) {
      output.append(scalar: scalar)
      return
    }
    let number = Int(scalar >> 8)
    if page?.number != number { page = FoldingPage.page(number, self) }
    page?.append(UInt8(truncatingIfNeeded: scalar), to: &output)
  }

  private func foldASCII(_ bytes: UnsafeRawBufferPointer, from start: Int, into output: inout [UInt8]) -> Int
  {
    let end = Folding.endOfASCII(bytes, from: start)
    let first = output.count
    output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
    guard contains(.letterCase) else { return end }
    output.withUnsafeMutableBufferPointer { output in
      // Without a branch, so that the compiler uses vector instructions.
      for index in first..<output.count {
        let byte = output[index]
        output[index] = byte | (byte &- UInt8(ascii: "A") < 26 ? 0x20 : 0)
      }
    }
    return end
  }

  private static func endOfASCII(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = start
    while index + 8 <= bytes.count {
      if bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { break }
      index += 8
    }
    while index < bytes.count, bytes[index] < 0x80 { index += 1 }
    return index
  }
}

/// The folded forms of 256 scalars in one buffer, computed on demand.
private final class FoldingPage: Sendable {
  /// Pages need no lock: two threads may compute one at the same time, and both are equal.
  private typealias Pages = InlineArray<0x1100, AtomicLazyReference<FoldingPage>>

  private static let letterCase = Pages { _ in AtomicLazyReference() }
  private static let accents = Pages { _ in AtomicLazyReference() }
  private static let all = Pages { _ in AtomicLazyReference() }

  let number: Int
  private let ends: [UInt16]
  private let bytes: [UInt8]

  private init(_ number: Int, _ folding: Folding) {
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
    case .letterCase: page(number, folding, letterCase)
    case .accents: page(number, folding, accents)
    default: page(number, folding, all)
    }
  }

  private static func page(_ number: Int, _ folding: Folding, _ pages: borrowing Pages) -> FoldingPage {
    pages[number].load() ?? pages[number].storeIfNil(FoldingPage(number, folding))
  }

  func append(_ low: UInt8, to output: inout [UInt8]) {
    output.append(contentsOf: bytes[Int(ends[Int(low)])..<Int(ends[Int(low) + 1])])
  }

  private static func folded(_ scalar: Unicode.Scalar, _ folding: Folding) -> String {
    var text = String(scalar)
    if folding.contains(.accents) { text = withoutMarks(text) }
    if folding.contains(.letterCase) {
      text = caseFolded(text)
      // `İ` becomes `i` and a combining dot, and the result may be decomposed further.
      if folding.contains(.accents) { text = withoutMarks(text) }
    }
    return text
  }

  private static func withoutMarks(_ text: String) -> String {
    let scalars = text.unicodeScalars.flatMap(\.canonicalDecomposition)
    return String(
      String.UnicodeScalarView(scalars.filter { $0.properties.canonicalCombiningClass == .notReordered }))
  }

  /// Folds through upper case, which letters share that fold to one another: `ß` and `ẞ`, `s` and `ſ`.
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
