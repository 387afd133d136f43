/// The destination of a sink's bytes: standard output, or an array in a test.
package protocol ByteOutput {
  /// Writes all of `bytes`. An error ends the sink's run.
  mutating func write(_ bytes: [UInt8]) throws
}
