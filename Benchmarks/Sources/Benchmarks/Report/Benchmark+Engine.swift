import DiffableSnapshot

/// Rows of the snapshot engine, measured in this process from another package.
extension Benchmark {
  static var engine: [Benchmark] {
    [
      Benchmark(name: "snapshot of all items from a sorted list") { setting in
        let ids = (0..<setting.count).map { ItemID($0) }
        let time = try Measurement.median(rounds: 21, prepare: {}) { _ in try List([(id: 0, items: ids)]) }
        return [
          Row(
            "snapshot of all items from a sorted list, in memory", .time(time),
            atMost: .time(scaled(.milliseconds(5), setting)))
        ]
      },
      Benchmark(name: "hiding 97 % of the items and showing them again") { setting in
        let full = try Scenario.list(setting.count)
        let time = Measurement.median(rounds: 21, prepare: { full }) { list in
          list.setHidden { $0.low % 100 >= 3 }
          list.showAllItems()
        }
        let limit = Quantity.time(scaled(.milliseconds(3), setting))
        return [Row("hiding 97 % of the items and showing them again, in memory", .time(time), atMost: limit)]
      },
      Benchmark(name: "differences of unrelated lists") { setting in try differences(setting) },
    ]
  }

  /// One row for each shape. DifferenceKit's time is the stated one, or else its time for 1 %
  /// changed multiplied by the ratio of Heckel's times for both shapes.
  private static func differences(_ setting: Setting) throws -> [Row] {
    let measured = try Scenario.shapes.map {
      (shape: $0, time: try Scenario.measure($0, setting.count) { ItemID($0) })
    }
    guard let first = measured.first, let stated = first.shape.differenceKit,
      let heckelOfFirst = first.time.heckel
    else { return [] }
    return measured.compactMap { shape, measurement in
      guard let heckel = measurement.heckel else { return nil }
      let figure = scaled(.milliseconds(shape.differenceKit ?? stated * (heckel / heckelOfFirst)), setting)
      let kind = shape.differenceKit == nil ? "estimated" : "stated"
      return Row(
        "difference in memory, \(shape.name)", .time(measurement.time), than: .time(figure),
        of: "Heckel \(Quantity.time(heckel)), DifferenceKit \(kind)", .atLeast(5))
    }
  }

  /// Returns a time for 100,000 items, in proportion to the number of items.
  private static func scaled(_ time: Duration, _ setting: Setting) -> Duration {
    time * setting.count / 100_000
  }
}
