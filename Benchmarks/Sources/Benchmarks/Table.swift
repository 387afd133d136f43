/// Collects measurements into Markdown.
struct Table {
  private let sizes: [Int]
  private var names: [String] = []
  private var rows: [String: [Int: Measurement]] = [:]
  private var bars: [String: String] = [:]

  init(sizes: [Int]) { self.sizes = sizes }

  mutating func add(_ measurement: Measurement, _ scenario: Scenario, _ size: Int) {
    if rows[scenario.name] == nil { names.append(scenario.name) }
    rows[scenario.name, default: [:]][size] = measurement
    bars[scenario.name] = scenario.bar
  }

  var markdown: String {
    let head =
      ["scenario"] + sizes.map(Self.grouped) + [
        "growth", "moves", "standard library ÷ ours", "Heckel ÷ ours", "DifferenceKit ÷ ours", "bar",
      ]
    var lines = [head, head.indices.map { $0 == 0 ? "---" : "---:" }]
    for name in names {
      let row = rows[name] ?? [:]
      lines.append(
        [name] + sizes.map { row[$0].map(Self.cell) ?? "" } + [growth(row), moves(row)]
          + [
            ratios(row, to: \.reference), ratios(row, to: \.heckel), ratios(row, to: \.differenceKit),
            bars[name] ?? "",
          ])
    }
    return lines.map { "| " + $0.joined(separator: " | ") + " |" }.joined(separator: "\n")
  }

  private static func cell(_ measurement: Measurement) -> String {
    if let bytes = measurement.bytes {
      return "\(bytes) B, an edit \(grouped(measurement.bytesForEdit ?? 0)) B"
    }
    return format(measurement.time)
  }

  /// Returns the cost at the largest size divided by the cost at the smallest.
  private func growth(_ row: [Int: Measurement]) -> String {
    let measured = sizes.compactMap { row[$0] }
    guard let first = measured.first, let last = measured.last, measured.count > 1, first.bytes == nil else {
      return ""
    }
    return Self.format(last.time / first.time) + " ×"
  }

  private func moves(_ row: [Int: Measurement]) -> String {
    let counts = sizes.compactMap { row[$0]?.moves }
    return Set(counts).count == 1 ? "\(counts[0])" : counts.map(String.init).joined(separator: ", ")
  }

  private func ratios(_ row: [Int: Measurement], to yardstick: KeyPath<Measurement, Duration?>) -> String {
    sizes.compactMap { size in
      guard let measurement = row[size], let reference = measurement[keyPath: yardstick] else { return nil }
      return "\(Self.format(reference / measurement.time)) (\(Self.grouped(size)))"
    }.joined(separator: ", ")
  }

  private static func format(_ time: Duration) -> String {
    let nanoseconds = time / .nanoseconds(1)
    return switch nanoseconds {
    case ..<1e3: format(nanoseconds) + " ns"
    case ..<1e6: format(nanoseconds / 1e3) + " µs"
    case ..<1e9: format(nanoseconds / 1e6) + " ms"
    default: format(nanoseconds / 1e9) + " s"
    }
  }

  private static func format(_ number: Double) -> String {
    number >= 10 ? grouped(Int(number.rounded())) : "\((number * 10).rounded() / 10)"
  }

  private static func grouped(_ number: Int) -> String {
    number < 1_000
      ? "\(number)" : grouped(number / 1_000) + "," + String(String(number % 1_000 + 1_000).dropFirst())
  }
}
