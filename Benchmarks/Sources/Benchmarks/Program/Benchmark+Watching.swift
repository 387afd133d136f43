import Dispatch
import Glibc

/// The time from a change on disk to the line of a watch.
extension Benchmark {
  static var watching: [Benchmark] { [checkout, oneSave] }

  private static var checkout: Benchmark {
    Benchmark(name: "a checkout of changed items", needs: ["git": "git"]) { setting in
      let path = try setting.repository()
      let changed = setting.count / 10
      try setting.git(["checkout", "-q", "-b", "other"], in: path)
      for number in stride(from: 0, to: setting.count, by: 10) { try raiseRating(number, in: path) }
      try setting.git(["commit", "-q", "-a", "-m", "ratings"], in: path)
      let watched = try Watched([setting.program, path, "-o", "jsonl"])
      defer { watched.stop() }
      try watched.skipSnapshot()
      var (checkouts, delays): ([Duration], [Duration]) = ([], [])
      for round in 0...setting.rounds {
        let start = ContinuousClock.now
        try setting.git(["checkout", "-q", round % 2 == 0 ? "main" : "other"], in: path)
        let end = ContinuousClock.now
        var line = try watched.next()
        // More than one update would be half a checkout.
        while let next = watched.next(within: .seconds(1)) { line = next }
        if round == 0 { continue }
        checkouts.append(end - start)
        delays.append(max(.zero, line.time - end))
      }
      return [
        Row(
          "from the end of a checkout of \(changed) items to the update", .time(median(delays)),
          than: .time(median(checkouts)),
          of: "the checkout", .atMost(0.25))
      ]
    }
  }

  private static var oneSave: Benchmark {
    Benchmark(name: "one save, until it is printed", needs: ["inotifywait": "inotify-tools"]) { setting in
      let path = try setting.items(.yaml)
      let folder = "\(path)/saves"
      mkdir(folder, 0o777)
      try save(0, in: folder)
      let ours = try Watched([setting.program, path, "-o", "jsonl"])
      defer { ours.stop() }
      try ours.skipSnapshot()
      let theirs = try Watched(["inotifywait", "-m", "-q", "-e", "moved_to", folder])
      defer { theirs.stop() }
      // inotifywait does not say when it is ready.
      sleep(1)
      var times: ([Duration], [Duration]) = ([], [])
      for number in 1...20 * setting.rounds {
        let start = try save(number, in: folder)
        times.0.append(try ours.next().time - start)
        times.1.append(try theirs.next().time - start)
        usleep(60_000)
      }
      return [
        Row(
          "one save of \(setting.count) items, until it is printed", .time(median(times.0)),
          than: .time(median(times.1)),
          of: "inotifywait", .atMost(1.25))
      ]
    }
  }

  /// Saves a file as most editors do, and returns the time at which it got its name.
  @discardableResult private static func save(_ number: Int, in folder: String) throws
    -> ContinuousClock.Instant
  {
    try write(Array("title: probe\nrating: \(number)\n".utf8), to: "\(folder)/.new")
    let start = ContinuousClock.now
    guard rename("\(folder)/.new", "\(folder)/probe.yaml") == 0 else {
      throw Failure("A file in \(folder) cannot be renamed.")
    }
    return start
  }

  /// Adds a comment and another rating to an item.
  private static func raiseRating(_ number: Int, in root: String) throws {
    let (folder, name) = (String(number / 1_000), String(number))
    func padded(_ text: String, _ width: Int) -> String {
      String(repeating: "0", count: width - text.count) + text
    }
    let path = "\(root)/\(padded(folder, 4))/note-\(padded(name, 7)).yaml"
    try write(Array("changed: true\n".utf8), to: path, flags: O_APPEND)
  }

  private static func write(_ bytes: [UInt8], to path: String, flags: CInt = O_CREAT | O_TRUNC) throws {
    let file = open(path, O_WRONLY | O_CLOEXEC | flags, 0o666)
    defer { close(file) }
    guard bytes.withUnsafeBytes({ Glibc.write(file, $0.baseAddress, $0.count) }) == bytes.count else {
      throw Failure("\(path) cannot be written.")
    }
  }
}
