import Glibc

/// Reading a folder the first time: nothing cached by the program, everything in the page cache.
extension Benchmark {
  static var reading: [Benchmark] {
    [
      Benchmark(name: "first list of the YAML, JSON and Markdown items") { setting in
        let paths = try [ItemFormat.yaml, .json, .markdown].map { try setting.items($0) }
        let lists = paths.map { [setting.program, "list", $0, "-o", "id"] }
        let found = try Medians.inTurn(setting.rounds, [[setting.floor, paths[0], "2"]] + lists) { _ in
          try setting.removeCache()
        }
        let (floor, yaml) = (found[0], found[1])
        return [
          Row(
            "first list of \(setting.count) YAML items", .time(yaml.time), than: .time(floor.time),
            of: "C floor", .atMost(1)),
          Row("the same in CPU seconds", .time(yaml.cpu), than: .time(floor.cpu), of: "C floor", .atMost(1)),
          Row("the same as JSON", .time(found[2].time), than: .time(yaml.time), of: "as YAML", .atMost(1)),
          Row(
            "the same as Markdown", .time(found[3].time), than: .time(yaml.time), of: "as YAML", .atMost(1)),
        ]
      },
      Benchmark(name: "system calls per file", needs: ["strace": "strace"]) { setting in
        // The cache is used from 5,000 items on.
        let count = max(setting.count / 10, 10_000)
        let path = try setting.items(.yaml, count: count)
        try setting.removeCache()
        // What was written a moment ago is not cached.
        sleep(3)
        let first = try callsPerFile(path, count, setting)
        let second = try callsPerFile(path, count, setting)
        return [
          Row("system calls on files, per item, first list", .count(first), atMost: .count(4)),
          Row("the same, second list", .count(second), atMost: .count(1)),
        ]
      },
      Benchmark(name: "first list of the large folder") { setting in
        let path = try setting.items(.yaml, count: setting.largeCount)
        let commands = [[setting.floor, path, "2"], [setting.program, "list", path, "-o", "id"]]
        let found = try Medians.inTurn(setting.rounds, commands) { _ in try setting.removeCache() }
        let (floor, ours) = (found[0], found[1])
        var rows = [
          Row(
            "first list of \(setting.largeCount) YAML items", .time(ours.time), than: .time(floor.time),
            of: "C floor", .atMost(1)),
          Row("the same in CPU seconds", .time(ours.cpu), than: .time(floor.cpu), of: "C floor", .atMost(1)),
        ]
        for format in ["id", "table", "jsonl"] {
          let run =
            format == "id"
            ? ours.peak : try Child([setting.program, "list", path, "-o", format]).wait().check().peak
          // The bar for a million items; the same per item for another number.
          let limit = setting.largeCount * 1_024
          rows.append(Row("peak memory of `list -o \(format)` of them", .bytes(run), atMost: .bytes(limit)))
        }
        return rows
      },
    ]
  }

  /// Returns the number of calls that take a path or a descriptor, per item, without those of an
  /// empty folder, to one decimal place: the calls for folders do not count.
  private static func callsPerFile(_ path: String, _ count: Int, _ setting: Setting) throws -> Double {
    let empty = "\(setting.folder)/empty"
    mkdir(empty, 0o777)
    let counts = try [empty, path].map { folder in
      let log = "\(setting.folder)/strace"
      try Child([
        "strace", "-f", "-c", "-o", log, "-e", "trace=%file,%desc", setting.program, "list", folder, "-o",
        "id",
      ]).wait().check()
      return try total(in: log)
    }
    return (Double(counts[1] - counts[0]) / Double(count) * 10).rounded() / 10
  }

  /// Returns the number of calls in the summary of strace.
  private static func total(in log: String) throws -> Int {
    guard let file = fopen(log, "re") else { throw Failure("strace has not written its summary.") }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 1_024)
    while fgets(&line, Int32(line.count), file) != nil {
      let words = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).split
      { $0 == " " || $0 == "\n" }
      if words.last == "total", words.count >= 5, let count = Int(words[3]) { return count }
    }
    throw Failure("The summary of strace has no total.")
  }
}
