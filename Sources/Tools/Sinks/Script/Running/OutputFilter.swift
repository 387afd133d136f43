/// A filter for the bytes of one output of a run: it removes acknowledgements, then adds a label to
/// each line.
struct OutputFilter: Sendable {
  private var parser: AcknowledgementParser?
  private var lines: LabelledLines?

  /// - Parameters:
  ///   - label: The label of each line; nil for none.
  ///   - hasAcknowledgements: True if lines of digits are acknowledgements.
  ///   - keepsLines: True to pass on complete lines, even without a label.
  init(label: String?, hasAcknowledgements: Bool, keepsLines: Bool = false) {
    parser = hasAcknowledgements ? AcknowledgementParser() : nil
    lines = label != nil || keepsLines ? LabelledLines(label) : nil
  }

  /// Adds bytes of the output. Returns the bytes to pass on, and the acknowledgements.
  mutating func add(_ bytes: [UInt8]) -> AcknowledgementParser.Result {
    var result = parser?.add(bytes) ?? AcknowledgementParser.Result(output: bytes)
    if let labelled = lines?.add(result.output) { result.output = labelled }
    return result
  }

  /// Completes the output of the command after its end. Later output is that of other processes: it
  /// is passed on, and has no acknowledgements.
  mutating func finish() -> AcknowledgementParser.Result {
    let last = parser?.finish()
    parser = nil
    return AcknowledgementParser.Result(
      output: lines?.finish() ?? [], acknowledgements: last.map { [$0] } ?? [])
  }
}
