/// A three-way merge of lines that treats changes to adjacent lines as independent.
///
/// Lines of the two versions are paired if they are equal, else if they differ only in spaces at
/// either end or in a final comma, else if they have the same key. A line that both sides changed
/// is merged token by token.
struct LineMerge {
  /// The order of lines that both sides inserted at the same place.
  enum InsertionOrder: CaseIterable {
    case oursFirst
    case theirsFirst
    /// Lines that both sides inserted appear once.
    case united
  }

  /// Lines that are merged, or two versions in conflict.
  enum Part {
    case settled([TextLine])
    case open(ours: [TextLine], theirs: [TextLine])
  }

  let chunks: [HunkMerge<TextLine>.Chunk]
  /// The merged lines of those chunks that can be merged token by token.
  private let tokenMerges: [Int: [TextLine]]

  init(_ texts: Versions<[TextLine]>) {
    chunks = HunkMerge(texts, pairs: LineMerge.pairs).chunks
    tokenMerges = chunks.enumerated().reduce(into: [:]) {
      $0[$1.offset] = LineMerge.line(of: $1.element).map { [$0] }
    }
  }

  /// The merged lines of a chunk without choosing an order of insertions. Nil if it is in conflict.
  func lines(ofChunk index: Int) -> [TextLine]? { chunks[index].settled ?? tokenMerges[index] }

  /// Returns the merge in settled and open parts.
  ///
  /// - Parameter order: nil leaves different insertions at the same place open.
  func parts(_ order: InsertionOrder?) -> [Part] {
    chunks.indices.map { index in
      let chunk = chunks[index]
      if let lines = lines(ofChunk: index) ?? order.flatMap({ LineMerge.insertions(of: chunk, $0) }) {
        return .settled(lines)
      }
      return .open(ours: chunk.ours, theirs: chunk.theirs)
    }
  }

  /// The clean results, one for each order of insertions. Empty if there are other conflicts.
  var results: [[TextLine]] {
    let hasInsertions = chunks.indices.contains { chunks[$0].base.isEmpty && lines(ofChunk: $0) == nil }
    return (hasInsertions ? InsertionOrder.allCases : [.oursFirst]).compactMap { order in
      var lines: [TextLine] = []
      for part in parts(order) {
        guard case .settled(let settled) = part else { return nil }
        lines += settled
      }
      return lines
    }
  }

  private static func insertions(of chunk: HunkMerge<TextLine>.Chunk, _ order: InsertionOrder) -> [TextLine]?
  {
    guard chunk.base.isEmpty else { return nil }
    switch order {
    case .oursFirst: return chunk.ours + chunk.theirs
    case .theirsFirst: return chunk.theirs + chunk.ours
    case .united:
      var lines: [TextLine] = []
      var next = (ours: 0, theirs: 0)
      for pair in SequenceAlignment(chunk.ours, chunk.theirs).pairs {
        lines +=
          chunk.ours[next.ours..<pair.first] + chunk.theirs[next.theirs..<pair.second] + [
            chunk.ours[pair.first]
          ]
        next = (pair.first + 1, pair.second + 1)
      }
      return lines + chunk.ours[next.ours...] + chunk.theirs[next.theirs...]
    }
  }
}

// MARK: Pairs of lines

extension LineMerge {
  /// How much of two lines has to be equal.
  private enum Level: Int, CaseIterable {
    case line
    case content
    case key
    /// Equal lines again, between the pairs of the other levels.
    case lineBetween
  }

  /// Pairs the lines of two versions of a text.
  private static func pairs(_ first: [TextLine], _ second: [TextLine]) -> [(first: Int, second: Int)] {
    var pairs: [(first: Int, second: Int)] = []
    for level in Level.allCases {
      var refined: [(first: Int, second: Int)] = []
      var next = (first: 0, second: 0)
      for pair in pairs + [(first: first.count, second: second.count)] {
        let (a, b) = (next.first..<pair.first, next.second..<pair.second)
        if !a.isEmpty, !b.isEmpty {
          let own = a.map { identity(of: first[$0], level, unique: 2 * $0) }
          let other = b.map { identity(of: second[$0], level, unique: 2 * $0 + 1) }
          refined += SequenceAlignment(own, other).pairs.map {
            (first: a.lowerBound + $0.first, second: b.lowerBound + $0.second)
          }
        }
        refined.append(pair)
        next = (pair.first + 1, pair.second + 1)
      }
      pairs = refined.dropLast()
    }
    return pairs
  }

  private enum LineIdentity: Hashable {
    case bytes(ArraySlice<UInt8>)
    case unique(Int)
  }

  private static func identity(of line: TextLine, _ level: Level, unique: Int) -> LineIdentity {
    switch level {
    case .line, .lineBetween: return .bytes(line.bytes[...])
    case .content:
      let content = line.trimmed
      return content.isEmpty ? .unique(unique) : .bytes(content)
    case .key: return line.label.map(LineIdentity.bytes) ?? .unique(unique)
    }
  }
}
