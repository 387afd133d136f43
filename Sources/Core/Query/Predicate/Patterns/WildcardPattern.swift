import Files
package import Values

/// A text with wildcards, for `LIKE` and for globs: `*` for any characters, a wildcard for one
/// Unicode scalar, and sets of scalars.
///
/// Each part between stars is matched at the first place where it fits. A later place never helps,
/// so no star is tried twice. Parts of literal text cost linear time. A part with a single-scalar
/// wildcard costs at most the length of the text times its own; the caller bounds its steps.
package struct WildcardPattern: Hashable {
  package enum Piece: Hashable {
    case text(FoldedPattern)
    case anyScalar
    case set(ScalarSet, isNegated: Bool)

    /// The minimum number of bytes that the piece matches.
    fileprivate var minimum: Int {
      if case .text(let pattern) = self { pattern.bytes.count } else { 1 }
    }
  }

  /// A set of scalars, as ordered ranges that do not overlap.
  package struct ScalarSet: Hashable {
    private let ranges: [ClosedRange<Unicode.Scalar>]

    package init(_ ranges: [ClosedRange<Unicode.Scalar>]) {
      var merged: [ClosedRange<Unicode.Scalar>] = []
      for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
        if let last = merged.last, range.lowerBound <= last.upperBound {
          merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
          merged.append(range)
        }
      }
      self.ranges = merged
    }

    /// Returns true if the set contains a scalar. Logarithmic in the number of ranges.
    func contains(_ scalar: Unicode.Scalar) -> Bool {
      let place = ranges.indices.partitionPoint { ranges[$0].upperBound >= scalar }
      return place < ranges.count && ranges[place].lowerBound <= scalar
    }
  }

  private let folding: Folding
  /// The parts, each with the pieces between two stars; one more than there are stars.
  private var parts: [[Piece]] = [[]]
  private var literal: [Unicode.Scalar] = []
  /// The minimum number of bytes that the complete pattern matches.
  private var minimum = 0

  package init(_ folding: Folding = []) {
    self.folding = folding
  }

  /// Creates the pattern of `LIKE`: `*` matches any characters, `?` one Unicode scalar, and `\*`,
  /// `\?` and `\\` match these characters.
  init(like text: String, _ folding: Folding) {
    self.init(folding)
    var isEscaped = false
    for scalar in text.unicodeScalars {
      if isEscaped {
        if !"*?\\".unicodeScalars.contains(scalar) { append("\\" as Unicode.Scalar) }
        append(scalar)
        isEscaped = false
        continue
      }
      switch scalar {
      case "\\": isEscaped = true
      case "*": appendStar()
      case "?": append(.anyScalar)
      default: append(scalar)
      }
    }
    if isEscaped { append("\\" as Unicode.Scalar) }
    endLiteral()
  }

  package mutating func append(_ scalar: Unicode.Scalar) { literal.append(scalar) }

  package mutating func append(_ piece: Piece) {
    endLiteral()
    parts[parts.count - 1].append(piece)
    minimum += piece.minimum
  }

  /// Appends a star. Several stars in a row are the same as one.
  package mutating func appendStar() {
    endLiteral()
    if parts.count > 1, parts[parts.count - 1].isEmpty { return }
    parts.append([])
  }

  /// Completes the pattern. Call it after the last `append`.
  package mutating func endLiteral() {
    if literal.isEmpty { return }
    let pattern = FoldedPattern(String(String.UnicodeScalarView(literal)), folding)
    literal.removeAll()
    if minimum == 0, parts.count == 1 { firstByte = pattern.bytes.first }
    parts[parts.count - 1].append(.text(pattern))
    minimum += pattern.bytes.count
  }

  /// The byte that every match begins with; nil if matches begin differently.
  package private(set) var firstByte: UInt8?

  /// The text of a pattern without wildcards; nil for any other pattern.
  package var literalText: [UInt8]? { parts.count == 1 ? WildcardPattern.text(of: parts[0]) : nil }

  /// The text after the star of a pattern such as `*.md`; nil for any other pattern.
  package var literalSuffix: [UInt8]? {
    guard parts.count == 2, parts[0].isEmpty, let text = WildcardPattern.text(of: parts[1]),
      !text.isEmpty
    else { return nil }
    return text
  }

  /// The pattern with memory of its own, for another thread; nil unless it has only literal text and stars.
  var copyOfLiterals: WildcardPattern? {
    var copy = self
    for (number, part) in parts.enumerated() where !part.isEmpty {
      guard part.count == 1, case .text(let pattern) = part[0], !pattern.bytes.isEmpty else { return nil }
      copy.parts[number] = [.text(pattern.copy)]
    }
    return minimum > 0 ? copy : nil
  }

  private static func text(of part: [Piece]) -> [UInt8]? {
    if part.isEmpty { return [] }
    guard part.count == 1, case .text(let pattern) = part[0] else { return nil }
    return pattern.bytes
  }

  /// Returns true if all of `text`, which was folded the same way, matches. `steps` is how many steps the
  /// match may take. It is negative afterwards if they did not suffice; the result is then false or
  /// unknown.
  package func matches(_ text: UnsafeRawBufferPointer, _ steps: inout Int) -> Bool {
    guard text.count >= minimum, var position = WildcardPattern.end(of: parts[0], in: text, at: 0, &steps)
    else { return false }
    if parts.count == 1 { return position == text.count }
    guard let last = WildcardPattern.start(of: parts[parts.count - 1], in: text, &steps), last >= position
    else { return false }
    for part in parts[1..<parts.count - 1] {
      guard let end = WildcardPattern.firstEnd(of: part, in: text, from: position, &steps) else {
        return false
      }
      position = end
    }
    return last >= position
  }

  private static func end(
    of part: [Piece], in text: UnsafeRawBufferPointer, at start: Int, _ steps: inout Int
  ) -> Int? {
    var position = start
    for piece in part {
      switch piece {
      case .text(let pattern):
        let count = pattern.bytes.count
        guard count <= text.count - position, isEqual(pattern.bytes, text, at: position, &steps) else {
          return nil
        }
        position += count
      case .anyScalar, .set:
        guard position < text.count, let length = length(of: piece, in: text, at: position) else {
          return nil
        }
        steps -= 1
        position += length
      }
    }
    return position
  }

  /// Returns the start of the last part, which ends at the end of the text.
  private static func start(of part: [Piece], in text: UnsafeRawBufferPointer, _ steps: inout Int) -> Int? {
    var position = text.count
    for piece in part.reversed() {
      switch piece {
      case .text(let pattern):
        position -= pattern.bytes.count
        guard position >= 0, isEqual(pattern.bytes, text, at: position, &steps) else { return nil }
      case .anyScalar, .set:
        guard position > 0 else { return nil }
        let end = position
        position = previous(text, position)
        steps -= 1
        guard length(of: piece, in: text, at: position) == end - position else { return nil }
      }
    }
    return position
  }

  private static func firstEnd(
    of part: [Piece], in text: UnsafeRawBufferPointer, from start: Int, _ steps: inout Int
  ) -> Int? {
    guard let first = part.first else { return start }
    var position = start
    while position < text.count, steps >= 0 {
      if case .text(let pattern) = first {
        let end = pattern.end(inFolded: text, from: position)
        steps -= (end ?? text.count) - position + 1
        guard let end else { return nil }
        if part.count == 1 { return end }
        position = end - pattern.bytes.count
      }
      if let end = end(of: part, in: text, at: position, &steps) { return end }
      steps -= 1
      position = next(text, position)
    }
    return nil
  }

  private static func isEqual(
    _ bytes: [UInt8], _ text: UnsafeRawBufferPointer, at start: Int, _ steps: inout Int
  ) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var index = 0
      while index < bytes.count, bytes[index] == text[start + index] { index += 1 }
      steps -= index + 1
      return index == bytes.count
    }
  }

  /// Returns the number of bytes of the scalar at `position` if the piece matches it. A byte that
  /// is not UTF-8 counts as one scalar.
  private static func length(of piece: Piece, in text: UnsafeRawBufferPointer, at position: Int) -> Int? {
    switch piece {
    case .text: return nil
    case .anyScalar: return next(text, position) - position
    case .set(let set, let isNegated):
      let end = next(text, position)
      let scalar = String(decoding: UnsafeRawBufferPointer(rebasing: text[position..<end]), as: UTF8.self)
        .unicodeScalars.first
      guard let scalar, set.contains(scalar) != isNegated else { return nil }
      return end - position
    }
  }

  private static func next(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
    var position = position + 1
    while position < text.count, text[position] & 0xC0 == 0x80 { position += 1 }
    return position
  }

  private static func previous(_ text: UnsafeRawBufferPointer, _ position: Int) -> Int {
    var position = position - 1
    while position > 0, text[position] & 0xC0 == 0x80 { position -= 1 }
    return position
  }
}
