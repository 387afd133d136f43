import Glibc

/// Live typing: the time from a control line to its answer.
extension Benchmark {
  static var typing: [Benchmark] {
    [
      Benchmark(name: "live typing") { setting in
        let watched = try Watched([
          setting.program, try setting.items(.yaml), "-o", "jsonl", "--control", "--limit", "50",
        ])
        defer { watched.stop() }
        try watched.skipSnapshot()
        var (narrowing, widening): ([Duration], [Duration]) = ([], [])
        for _ in 0..<setting.rounds {
          for word in ["rho", "gamma kappa", "note-00123", "2024-11", "friday"] {
            for count in 1...word.count {
              narrowing.append(try answer(to: String(word.prefix(count)), watched))
            }
            for count in (0..<word.count).reversed() {
              widening.append(try answer(to: String(word.prefix(count)), watched))
            }
          }
        }
        let limit = Quantity.time(.milliseconds(16))
        return [
          Row(
            "a key of a search in \(setting.count) items, `--limit 50`, p95",
            .time(quantile(0.95, of: narrowing)), atMost: limit),
          Row("a key less, p95", .time(quantile(0.95, of: widening)), atMost: limit),
        ]
      },
      Benchmark(name: "a search with a large answer") { setting in
        let watched = try Watched([setting.program, try setting.items(.yaml), "-o", "jsonl", "--control"])
        defer { watched.stop() }
        try watched.skipSnapshot()
        var times: [Duration] = []
        for _ in 0..<setting.rounds {
          _ = try answer(to: "ri", watched)
          times.append(try answer(to: "r", watched))
          _ = try answer(to: "", watched)
        }
        return [
          Row("`r` after `ri` without a limit", .time(median(times)), atMost: .time(.milliseconds(100)))
        ]
      },
    ]
  }

  private static func answer(to text: String, _ watched: Watched) throws -> Duration {
    // A person does not type faster, and the program may prepare for the next key.
    usleep(20_000)
    let start = try watched.send("{\"search\":\"\(text)\"}")
    return try watched.next().time - start
  }
}
