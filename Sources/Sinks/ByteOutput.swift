/// Where a sink's bytes go: standard output, or an array in a test.
package protocol ByteOutput {
  /// Writes all of `bytes`. What it throws ends the sink's run.
  mutating func write(_ bytes: [UInt8]) throws
}
