/// What one scenario took at one size.
struct Measurement {
  /// The median of the rounds.
  var time: Duration
  /// The standard library's time for the same, where it was tried.
  var reference: Duration?
  var moves: Int?
  /// For each item.
  var bytes: Int?
  /// What the list after one more edit adds to the one before.
  var bytesForEdit: Int?

  /// Runs something over and over, and takes the median time of a round.
  ///
  /// `prepare` makes what a round needs; it is not timed. Rounds are many for what is short, few for what is long.
  static func median<Input, Output>(
    rounds: Int = 201, prepare: () throws -> Input, _ body: (inout Input) throws -> Output
  ) rethrows -> Duration {
    var times: [Duration] = []
    var spent = Duration.zero
    while times.count < rounds, times.count < 5 || spent < .seconds(2) {
      var input = try prepare()
      let start = ContinuousClock.now
      let output = try body(&input)
      let time = start.duration(to: .now)
      consume(output)
      times.append(time)
      spent += time
    }
    return times.sorted()[times.count / 2]
  }

  /// One run, for what takes long.
  static func once<Output>(_ body: () throws -> Output) rethrows -> (time: Duration, output: Output) {
    let start = ContinuousClock.now
    let output = try body()
    return (start.duration(to: .now), output)
  }

  /// Keeps the compiler from leaving out what nobody looks at.
  @inline(never)
  static func consume<Output>(_ output: Output) { withExtendedLifetime(output) {} }
}
