import Store

/// Output that is made piece by piece, as its reader accepts it: a slow reader never costs more
/// than one piece.
package struct OutputPieces: Sendable {
  package let count: Int
  private let make: @Sendable (Int) -> [UInt8]

  /// Describes some pieces. `make` makes one of its number, on any thread and in any order.
  package init(_ count: Int, _ make: @escaping @Sendable (Int) -> [UInt8]) {
    self.count = count
    self.make = make
  }

  package init(_ bytes: [UInt8]) {
    self.init(1) { _ in bytes }
  }

  package subscript(number: Int) -> [UInt8] { make(number) }

  package func between(_ start: [UInt8], and end: [UInt8]) -> OutputPieces {
    let last = max(count, 1) - 1
    return OutputPieces(last + 1) { [self] number in
      (number == 0 ? start : []) + (count == 0 ? [] : make(number)) + (number == last ? end : [])
    }
  }

  /// Passes each piece on in order, while the next ones are made on other threads.
  package func forEach<Failure: Error>(_ body: (Int, [UInt8]) throws(Failure) -> Void) throws(Failure) {
    try ParallelWork.forEach(count, make, body)
  }

  package func write(to output: inout some ByteOutput) throws { try forEach { try output.write($1) } }
}

/// The destination of a sink's bytes: standard output, or an array in a test.
package protocol ByteOutput {
  /// Writes all of `bytes`. An error ends the sink's run.
  mutating func write(_ bytes: [UInt8]) throws
}
