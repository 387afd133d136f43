package import PlainStore
package import PlainText

/// Writes the stream of version 1: one line for the view, the snapshot, then one line per step.
/// Each line is one write.
package struct JSONLinesSink<Output: ByteOutput> {
  private var encoder: StreamEncoder
  private var output: Output
  private let clock: () -> Timestamp

  /// Makes a sink.
  ///
  /// - Parameters:
  ///   - output: The destination of the lines.
  ///   - itemsPerLine: A snapshot with more items than this is split into several lines.
  ///   - clock: Returns the current time, for the `time` of updates.
  package init(_ output: Output, itemsPerLine: Int = 1_000, clock: @escaping () -> Timestamp) {
    encoder = StreamEncoder(itemsPerLine: itemsPerLine)
    self.output = output
    self.clock = clock
  }

  /// Writes the first line of a live stream.
  package mutating func begin(root: String, view: Fields) throws {
    try output.write(encoder.hello(root: root, view: view))
  }

  /// Writes the first line of a comparison of two states.
  package mutating func begin(root: String, view: Fields, from: Fields, to: Fields) throws {
    try output.write(encoder.hello(root: root, view: view, from: from, to: to))
  }

  /// Writes an error line.
  ///
  /// - Parameter why: The reason of the code `gone`. Nil for other codes.
  package mutating func report(code: String, message: String, why: GoneReason? = nil) throws {
    try output.write(encoder.error(code: code, message: message, why: why))
  }

  /// Writes a bookmark line.
  package mutating func bookmark() throws {
    try output.write(encoder.bookmark())
  }

  /// Writes the lines of an event.
  package mutating func receive(_ event: ResultsEvent) throws {
    switch event {
    case .snapshot(let snapshot):
      try encoder.snapshot(snapshot) { try output.write($0) }
      try write(snapshot.problems.map(ProblemChange.raised))
    case .step(let update, let problems):
      if let update { try output.write(encoder.update(update, time: clock())) }
      try write(problems)
    }
  }

  private mutating func write(_ problems: [ProblemChange]) throws {
    for problem in problems { try output.write(StreamEncoder.problem(problem)) }
  }
}
