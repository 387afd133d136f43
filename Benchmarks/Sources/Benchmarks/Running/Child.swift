import Glibc

/// A process that was started.
struct Child {
  let id: pid_t
  private let name: String
  private let start: ContinuousClock.Instant

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - arguments: The name or path of the program, and its arguments.
  ///   - input: The descriptor of its standard input; nil for `/dev/null`.
  ///   - output: The descriptor of its standard output; nil for `/dev/null`.
  init(_ arguments: [String], input: CInt? = nil, output: CInt? = nil) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, descriptor) in [(0 as CInt, input), (1, output)] {
      if let descriptor {
        posix_spawn_file_actions_adddup2(&actions, descriptor, number)
      } else {
        posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      }
    }
    var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
    defer { words.forEach { free($0) } }
    var id = pid_t()
    start = .now
    let code = posix_spawnp(&id, arguments[0], &actions, nil, &words, environ)
    guard code == 0 else {
      throw Failure("`\(arguments[0])` cannot be started: \(String(cString: strerror(code)))")
    }
    self.id = id
    name = arguments.joined(separator: " ")
  }

  /// Waits for its end.
  func wait() throws -> Run {
    var status: CInt = 0
    var usage = rusage()
    while wait4(id, &status, 0, &usage) < 0 {
      if errno != EINTR { throw Failure("`\(name)` cannot be waited for.") }
    }
    let time = ContinuousClock.now - start
    func duration(_ value: timeval) -> Duration {
      .seconds(value.tv_sec) + .microseconds(Int64(value.tv_usec))
    }
    return Run(
      name: name, status: status, time: time, cpu: duration(usage.ru_utime) + duration(usage.ru_stime),
      peak: usage.ru_maxrss * 1_024)
  }
}

/// A process that has ended.
struct Run {
  let name: String
  /// The status as `wait4` returns it.
  let status: CInt
  let time: Duration
  /// The time of all processors, user and system.
  let cpu: Duration
  /// The largest resident memory in bytes.
  let peak: Int

  /// Throws if the program has failed.
  @discardableResult func check() throws -> Run {
    guard status == 0 else { throw Failure("`\(name)` ended with the status \(status >> 8)") }
    return self
  }
}

/// Medians of several runs of one command.
struct Medians {
  let time: Duration
  let cpu: Duration
  let peak: Int

  init(_ runs: [Run]) {
    time = runs.map(\.time).sorted()[runs.count / 2]
    cpu = runs.map(\.cpu).sorted()[runs.count / 2]
    peak = runs.map(\.peak).sorted()[runs.count / 2]
  }

  /// Runs commands in turn, so that a busy moment of the machine meets all of them. The first turn
  /// fills the page cache and is not counted.
  ///
  /// - Parameter prepare: Called before each run, with the index of the command. It is not timed.
  static func inTurn(_ rounds: Int, _ commands: [[String]], prepare: (Int) throws -> Void = { _ in }) throws
    -> [Medians]
  {
    var runs = commands.map { _ in [Run]() }
    for round in 0...rounds {
      for (index, command) in commands.enumerated() {
        try prepare(index)
        let run = try Child(command).wait().check()
        if round > 0 { runs[index].append(run) }
      }
    }
    return runs.map(Medians.init)
  }
}
