@testable public import Values

/// Compares the scanner of YAML with libyaml.
public enum ScannerProperties {
  /// Reads one input twice: values and errors must be equal.
  public static func check(_ bytes: UnsafeRawBufferPointer, as format: TextFormat) {
    for limits in [ReadLimits(), ReadLimits(depth: 3)] {
      let scanned = result(bytes, format, TextReader(limits: limits, usesScanner: true))
      let parsed = result(bytes, format, TextReader(limits: limits, usesScanner: false))
      require(scanned == parsed, "The scanner reads \(scanned), and libyaml \(parsed).")
    }
  }

  private static func result(
    _ bytes: UnsafeRawBufferPointer, _ format: TextFormat, _ reader: TextReader
  ) -> Result<PackedValue, TextError> {
    var reader = reader
    return Result { () throws(TextError) in try reader.readItem(bytes, as: format) }
  }
}
