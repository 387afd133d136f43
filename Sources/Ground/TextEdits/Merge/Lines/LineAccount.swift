/// Counts the lines of three versions to check that a merge keeps what each side did to them.
///
/// A line that exactly one side added is in the result as that side wrote it, and one that exactly
/// one side removed is not. Lines are counted by content: a moved line must not move back, and an
/// added one occurs exactly as often. If both sides added or removed a line, its count must be
/// between the result of one change and that of both. Exceptions:
/// - Lines that a rule or a value decided are excluded (`exclude`).
/// - In JSON a final comma does not count, because another element after a line requires one.
/// - A comment that one side moved and the other one removed or moved elsewhere allows no clean result.
struct LineAccount {
  private typealias Key = ArraySlice<UInt8>

  private static let none = Versions(0, 0, 0)

  private let format: TextFormat
  private var counts: [Key: Versions<Int>] = [:]
  private var free: Set<Key> = []
  /// The number of lines of the result that may occur in none of the versions.
  private var newLines = 0
  /// True if one side moved a comment that the other removed or moved: no clean result keeps both.
  private var hasCommentInConflict = false
  private let endsWithBreak: Versions<Bool>

  init(_ merge: LineMerge, as format: TextFormat) {
    self.format = format
    func ends(_ lines: (LineMerge.Chunk) -> [TextLine]) -> Bool {
      merge.chunks.last { !lines($0).isEmpty }.flatMap { lines($0).last?.bytes.last }.map { $0 == 0x0A }
        ?? true
    }
    endsWithBreak = Versions(ends(\.base), ends(\.ours), ends(\.theirs))
    var removed: [TextLine] = []
    for chunk in merge.chunks {
      // A change that both sides made counts as if it were in the base. Lines that each side removed
      // for itself do not.
      if let lines = chunk.settled, chunk.ours != chunk.base, chunk.theirs != chunk.base,
        !lines.isEmpty || chunk.ours == chunk.theirs
      {
        count(base: lines, ours: lines, theirs: lines)
        removed += chunk.base.filter { $0.isComment && !lines.contains($0) }
      } else {
        count(base: chunk.base, ours: chunk.ours, theirs: chunk.theirs)
      }
    }
    findMoves(of: removed)
  }

  /// Finds such comments. A person has to choose.
  private mutating func findMoves(of comments: [TextLine]) {
    for comment in comments {
      guard let found = counts[key(comment)], found.base == 0, max(found.ours, found.theirs) == 1 else {
        continue
      }
      counts[key(comment)]?.base = 1
      hasCommentInConflict = true
    }
  }

  private mutating func count(base: [TextLine], ours: [TextLine], theirs: [TextLine]) {
    for line in base { counts[key(line), default: LineAccount.none].base += 1 }
    for line in ours { counts[key(line), default: LineAccount.none].ours += 1 }
    for line in theirs { counts[key(line), default: LineAccount.none].theirs += 1 }
  }

  private func key(_ line: TextLine) -> Key {
    var key = line.bytes[...]
    if key.last == 0x0A { key.removeLast() }
    guard format == .json, let last = key.dropLast(key.last == 0x0D ? 1 : 0).last, last == ","
    else { return key }
    let hasReturn = key.last == 0x0D
    key.removeLast(hasReturn ? 2 : 1)
    return hasReturn ? key + [0x0D] : key
  }

  mutating func exclude(differencesOf first: [TextLine], and second: [TextLine]) {
    var difference: [Key: Int] = [:]
    for line in first { difference[key(line), default: 0] += 1 }
    for line in second { difference[key(line), default: 0] -= 1 }
    free.formUnion(difference.lazy.filter { $0.value != 0 }.map(\.key))
  }

  /// Excludes lines that the result replaces with as many new lines.
  mutating func exclude(_ lines: [TextLine], replacedBy count: Int) {
    free.formUnion(lines.lazy.map(key))
    newLines += count
  }

  func isKept(in result: [TextLine]) -> Bool {
    if hasCommentInConflict { return false }
    let ends = result.last.map { $0.bytes.last == 0x0A } ?? true
    guard ends == (endsWithBreak.ours == endsWithBreak.base ? endsWithBreak.theirs : endsWithBreak.ours)
    else { return false }
    let found = found(in: result)
    let added = found.reduce(0) { $0 + (counts[$1.key] == nil && !free.contains($1.key) ? $1.value : 0) }
    return added <= newLines
      && counts.allSatisfy { key, counts in
        free.contains(key) || LineAccount.expected(counts).contains(found[key] ?? 0)
      }
  }

  func isKept(inOurs ours: [TextLine], theirs: [TextLine]) -> Bool {
    let own = found(in: ours)
    let other = found(in: theirs)
    return counts.allSatisfy { key, counts in
      if free.contains(key) { return true }
      return (counts.theirs != counts.base || own[key] ?? 0 == counts.ours)
        && (counts.ours != counts.base || other[key] ?? 0 == counts.theirs)
    }
  }

  private func found(in lines: [TextLine]) -> [Key: Int] {
    lines.reduce(into: [:]) { $0[key($1), default: 0] += 1 }
  }

  private static func expected(_ counts: Versions<Int>) -> ClosedRange<Int> {
    let base = counts.base
    let ours = counts.ours
    let theirs = counts.theirs
    if ours == base { return theirs...theirs }
    if theirs == base { return ours...ours }
    let all = max(ours + theirs - base, 0)
    if ours > base, theirs > base { return max(ours, theirs)...all }
    if ours < base, theirs < base { return all...min(ours, theirs) }
    return all...all
  }
}
