/// What happens to the bytes of one output of a run on the way to ours: acknowledgements are
/// removed, then lines get a label.
struct OutputFilter: Sendable {
  private var parser: AcknowledgementParser?
  private var lines: LabelledLines?

  /// - Parameters:
  ///   - label: The label of each line; nil for none.
  ///   - hasAcknowledgements: True if lines of digits are acknowledgements.
  init(label: String?, hasAcknowledgements: Bool) {
    parser = hasAcknowledgements ? AcknowledgementParser() : nil
    lines = label.map(LabelledLines.init)
  }

  /// Adds bytes of the output. Returns the bytes to pass on, and the acknowledgements.
  mutating func add(_ bytes: [UInt8]) -> AcknowledgementParser.Result {
    var result = parser?.add(bytes) ?? AcknowledgementParser.Result(output: bytes)
    if let labelled = lines?.add(result.output) { result.output = labelled }
    return result
  }

  /// Completes what the command wrote before it ended. What other processes write to the same output
  /// later is passed on, and never an acknowledgement.
  mutating func finish() -> AcknowledgementParser.Result {
    let last = parser?.finish()
    parser = nil
    return AcknowledgementParser.Result(output: lines?.finish() ?? [], acknowledgements: last.map { [$0] } ?? [])
  }
}
