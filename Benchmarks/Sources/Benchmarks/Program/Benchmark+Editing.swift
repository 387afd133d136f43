import Glibc

/// Many changed fields in one item.
extension Benchmark {
  /// The time for eight times as many fields, in proportion: editing is linear.
  static var editing: [Benchmark] {
    [
      Benchmark(name: "`set` of 8,000 and of 64,000 fields of one item") { setting in
        let (few, many) = (try time(of: 8_000, setting), try time(of: 64_000, setting))
        return [
          Row(
            "`set` of 64,000 fields of one item", .time(many), than: .time(few), of: "8,000 fields",
            .atMost(12))
        ]
      }
    ]
  }

  /// Returns the time of changing each of `count` fields.
  private static func time(of count: Int, _ setting: Setting) throws -> Duration {
    let folder = "\(setting.folder)/fields-\(count)"
    mkdir(folder, 0o777)
    var times: [Duration] = []
    for round in 0...setting.rounds {
      try write((0..<count).map { "k\($0): \($0)\n" }.joined(), to: "\(folder)/a.yaml")
      let fields = (0..<count).map { "\"k\($0)\":\($0 + round + 1)" }.joined(separator: ",")
      try write("{\"id\":\"a\",\"value\":{\(fields)}}\n", to: "\(folder)/lines")
      let input = open("\(folder)/lines", O_RDONLY | O_CLOEXEC)
      defer { close(input) }
      let run = try Child([setting.program, "set", folder, "-"], input: input).wait().check()
      if round > 0 { times.append(run.time) }
    }
    return median(times)
  }

  private static func write(_ text: String, to path: String) throws {
    guard let file = fopen(path, "we") else { throw Failure("\(path) cannot be written.") }
    defer { fclose(file) }
    guard fwrite(text, 1, text.utf8.count, file) == text.utf8.count else {
      throw Failure("\(path) cannot be written.")
    }
  }
}
