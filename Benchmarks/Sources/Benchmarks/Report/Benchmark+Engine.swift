import DiffableSnapshot

/// Rows of the snapshot engine, measured in this process from another package.
extension Benchmark {
  static var engine: [Benchmark] {
    Scenario.unrelated.map { scenario in
      Benchmark(name: scenario.name) { setting in
        let found = try scenario.measure(setting.count)
        guard let heckel = found.heckel else { throw Failure("Heckel's algorithm was not measured.") }
        let stated = found.differenceKit.map { " (DifferenceKit: \(Quantity.time($0)))" } ?? ""
        return [Row(scenario.name + stated, .time(found.time), than: .time(heckel), of: "Heckel", .atLeast(5))]
      }
    } + [
      Benchmark(name: "a snapshot from a sorted list") { setting in
        let ids = (0..<setting.count).map { ItemID($0) }
        let time = try Measurement.median(rounds: 21, prepare: {}) { _ in try List([(id: 0, items: ids)]) }
        return [Row("a snapshot of \(setting.count) identifiers from a sorted list", .time(time), atMost: .time(.milliseconds(5)))]
      },
      Benchmark(name: "the standard library's difference") { setting in
        let scenario = try Scenario.whole.first { $0.name.hasPrefix("unrelated") }.map { try $0.measure(setting.count) }
        guard let scenario, let reference = scenario.reference else { throw Failure("It was not measured.") }
        return [
          Row(
            "1 % deleted, 1 % inserted, 0.2 % shuffled", .time(scenario.time), than: .time(reference), of: "standard library", .atLeast(10))
        ]
      },
    ]
  }
}
