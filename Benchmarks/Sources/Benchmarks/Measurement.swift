import Glibc

/// The result of one scenario at one size.
///
/// Times are processor times of this thread, so that other programs disturb them little.
struct Measurement {
  /// The median of the rounds.
  var time: Duration
  /// The standard library's time for the same task; nil if it was not measured.
  var reference: Duration?
  /// The time of Heckel's algorithm for the same task; nil if it was not measured.
  var heckel: Duration?
  /// DifferenceKit's time for the same task, which was measured once and is not measured here.
  var differenceKit: Duration?
  var moves: Int?
  /// The memory per item.
  var bytes: Int?
  /// The memory that a list after one more edit adds to the list before it.
  var bytesForEdit: Int?

  /// Returns the median time of many rounds of `body`.
  ///
  /// `prepare` creates the input of a round, and is not timed. There are at least 5 rounds, and
  /// fewer than `rounds` if they take more than 2 seconds.
  static func median<Input, Output>(
    rounds: Int = 201, prepare: () throws -> Input, _ body: (inout Input) throws -> Output
  ) rethrows -> Duration {
    var times: [Duration] = []
    var spent = Duration.zero
    while times.count < rounds, times.count < 5 || spent < .seconds(2) {
      var input = try prepare()
      let start = processorTime
      let output = try body(&input)
      let time = processorTime - start
      consume(output)
      times.append(time)
      spent += time
    }
    return times.sorted()[times.count / 2]
  }

  /// Measures a single run, for slow tasks.
  static func once<Output>(_ body: () throws -> Output) rethrows -> (time: Duration, output: Output) {
    let start = processorTime
    let output = try body()
    return (processorTime - start, output)
  }

  /// The processor time that this thread has used so far.
  private static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Uses a value, so that the compiler does not remove its computation.
  @inline(never)
  static func consume<Output>(_ output: Output) { withExtendedLifetime(output) {} }
}
