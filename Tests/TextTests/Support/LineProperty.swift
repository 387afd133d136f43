import TextEdits
import Values

/// Checks what a clean merge did to the lines, with a line diff of its own.
///
/// A line that exactly one side changed must be in the result as that side wrote it, a line that
/// exactly one side removed must not, and a line that nobody changed must remain. In JSON final
/// commas do not count.
struct LineProperty {
  private struct LineChange {
    let base: Range<Int>
    let lines: [String]
  }

  let format: TextFormat

  /// Returns descriptions of the lines that are missing, occur too often, or are in none of the
  /// versions.
  func violations(base: [UInt8], ours: [UInt8], theirs: [UInt8], result: [UInt8]) -> [String] {
    let (base, ourLines, theirLines) = (lines(base), lines(ours), lines(theirs))
    let own = hunks(base, ourLines)
    let other = hunks(base, theirLines)
    var touched = Set<Int>()
    var (least, extra) = ([String: Int](), [String: Int]())
    var newLines = 0
    for (hunks, others) in [(own, other), (other, own)] {
      for hunk in hunks {
        touched.formUnion(hunk.base)
        let rivals = others.filter { LineProperty.overlap($0.base, hunk.base) }
        if rivals.isEmpty {
          for line in hunk.lines { least[line, default: 0] += 1 }
        } else if rivals.count == 1, rivals[0].base == hunk.base, rivals[0].lines == hunk.lines {
          if hunks.count == own.count, hunk.base == own.first(where: { $0.base == hunk.base })?.base {
            for line in hunk.lines { extra[line, default: 0] += 1 }
          }
        } else {
          newLines += hunk.lines.count
          for line in hunk.lines + hunk.base.map({ base[$0] }) { extra[line, default: 0] += 1 }
        }
      }
    }
    for index in base.indices where !touched.contains(index) { least[base[index], default: 0] += 1 }
    func counts(_ lines: [String]) -> [String: Int] { lines.reduce(into: [:]) { $0[$1, default: 0] += 1 } }
    let (baseCounts, ourCounts, theirCounts, found) = (
      counts(base), counts(ourLines), counts(theirLines), counts(lines(result))
    )
    // Lines other than comments often occur more than once, so nobody can know if one was moved or
    // another one was added.
    let unreduced = least.filter { !$0.key.drop { $0 == " " }.hasPrefix("#") }
    // A line that a side moved counts as the other side left it.
    for (line, count) in baseCounts {
      if ourCounts[line] == count { least[line] = min(least[line] ?? 0, theirCounts[line] ?? 0) }
      if theirCounts[line] == count { least[line] = min(least[line] ?? 0, ourCounts[line] ?? 0) }
    }
    // A line that both sides added may have been added once.
    for (line, count) in least {
      let (old, own, other) = (baseCounts[line] ?? 0, ourCounts[line] ?? 0, theirCounts[line] ?? 0)
      if own > old, other > old { least[line] = min(count, max(own, other)) }
    }
    var violations: [String] = []
    for (line, count) in least where found[line] ?? 0 < count { violations.append("missing: \(line)") }
    for (line, count) in found {
      let (own, other) = (ourCounts[line] ?? 0, theirCounts[line] ?? 0)
      let both = own > baseCounts[line] ?? 0 && other > baseCounts[line] ?? 0 ? min(own, other) : 0
      let placed = unreduced[line] ?? least[line] ?? 0
      let isBlank = line.allSatisfy { $0 == " " }
      // Both sides may have moved the same blank line, each to another place.
      let most = max(placed + (extra[line] ?? 0) + both, isBlank ? own + other : 0)
      if count > most {
        newLines -= count - most
        if newLines < 0 || base.contains(line) { violations.append("too often: \(line)") }
      }
    }
    return violations.sorted()
  }

  private func lines(_ bytes: [UInt8]) -> [String] {
    let lines = String(decoding: bytes, as: UTF8.self).unicodeScalars.split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(
      String.init)
    let complete = lines.last == "" ? lines.dropLast() : lines[...]
    guard format == .json else { return Array(complete) }
    return complete.map { $0.replacing(",\r", with: "\r") }.map {
      $0.hasSuffix(",") ? String($0.dropLast()) : $0
    }
  }

  /// Returns true if two lines begin with the same characters.
  private static func isVersion(_ old: String, _ new: String) -> Bool {
    old.drop { $0 == " " }.prefix(3) == new.drop { $0 == " " }.prefix(3)
  }

  private static func overlap(_ a: Range<Int>, _ b: Range<Int>) -> Bool {
    if a.isEmpty, b.isEmpty { return a.lowerBound == b.lowerBound }
    if a.isEmpty { return b.lowerBound < a.lowerBound && a.lowerBound < b.upperBound }
    return b.isEmpty ? overlap(b, a) : a.overlaps(b)
  }

  /// Finds a longest common subsequence. A line that is replaced by a version of itself is a hunk.
  private func hunks(_ base: [String], _ side: [String]) -> [LineChange] {
    var lengths = [[Int]](repeating: [Int](repeating: 0, count: side.count + 1), count: base.count + 1)
    for i in base.indices.reversed() {
      for j in side.indices.reversed() {
        lengths[i][j] =
          base[i] == side[j] ? lengths[i + 1][j + 1] + 1 : max(lengths[i + 1][j], lengths[i][j + 1])
      }
    }
    var hunks: [LineChange] = []
    var (i, j, start) = (0, 0, (base: 0, side: 0))
    func close() {
      let (removed, added) = (start.base..<i, Array(side[start.side..<j]))
      if removed.count == added.count,
        zip(removed, added).allSatisfy({ LineProperty.isVersion(base[$0], $1) })
      {
        for (index, line) in zip(removed, added) {
          hunks.append(LineChange(base: index..<index + 1, lines: [line]))
        }
      } else {
        hunks.append(LineChange(base: removed, lines: added))
      }
    }
    while i < base.count || j < side.count {
      if i < base.count, j < side.count, base[i] == side[j] {
        close()
        (i, j) = (i + 1, j + 1)
        start = (i, j)
      } else if j == side.count || (i < base.count && lengths[i + 1][j] >= lengths[i][j + 1]) {
        i += 1
      } else {
        j += 1
      }
    }
    close()
    return hunks.filter { !$0.base.isEmpty || !$0.lines.isEmpty }
  }
}
