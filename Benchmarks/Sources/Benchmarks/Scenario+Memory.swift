import DiffableSnapshot

extension Scenario {
  /// Measures memory. It runs first, and at one size, because memory that was freed before would be
  /// reused and not counted.
  static var memory: [Scenario] {
    [
      Scenario(name: "memory for each item of 16 bytes", bar: "≤ 90 B", sizes: [1_000_000]) { count in
        let ids = (0..<count).map { ItemID($0) }
        let (bytes, list) = try Memory.added { try List([(id: 0, items: ids)]) }
        var bench = Bench(list)
        let edits = 1_000
        let (added, kept) = try Memory.added {
          var kept = [list]
          for _ in 0..<edits {
            var next = kept[kept.count - 1]
            try next.moveItem(bench.item(), toSection: 0, at: bench.below(count))
            kept.append(next)
          }
          return kept
        }
        Measurement.consume(kept)
        return Measurement(time: .zero, bytes: bytes / count, bytesForEdit: added / edits)
      }
    ]
  }
}
