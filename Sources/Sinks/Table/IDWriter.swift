import PlainStore

/// The ids of a list, one a line, for scripts; on a terminal what could control it is shown as an escape.
package struct IDWriter: Sendable {
  private let isTerminal: Bool

  package init(isTerminal: Bool) {
    self.isTerminal = isTerminal
  }

  package func write(_ snapshot: ResultsSnapshot, to output: inout some ByteOutput) throws {
    var bytes: [UInt8] = []
    try snapshot.forEachItem { item, _ in
      bytes.append(contentsOf: (isTerminal ? DisplayText.safe(item.id.description) : item.id.description).utf8)
      bytes.append(UInt8(ascii: "\n"))
      guard bytes.count >= TextLines.chunk else { return }
      try output.write(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    if !bytes.isEmpty { try output.write(bytes) }
  }
}
