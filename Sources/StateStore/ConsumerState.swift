package import PlainStore

/// The state of one consumer of a list in a database file: what it has acknowledged, what it was
/// offered since then, and how to go back to earlier lists.
package final class ConsumerState: DeliveryLog {
  private let report: @Sendable (String) -> Void

  private init(report: @escaping @Sendable (String) -> Void) {
    self.report = report
  }

  /// Opens the state of a consumer, or prepares a new one.
  ///
  /// - Parameters:
  ///   - location: The file.
  ///   - view: The canonical bytes of everything that determines what the list shows.
  ///   - request: The request of the list, for the lists that are read from the state.
  ///   - token: The token from which the consumer goes on; nil for what it acknowledged last.
  ///   - report: Receives sentences about what cannot be recorded.
  /// - Throws: `StateError` with the code `locked` if another process has the state open.
  package static func open(
    _ location: StateLocation, view: [UInt8], request: FetchRequest, since token: String?, report: @escaping @Sendable (String) -> Void
  ) throws(StateError) -> Opening {
    Opening(state: ConsumerState(report: report), outcome: token == nil ? .new : .gone(.unknownToken))
  }

  package func begin(_ list: ResultsSnapshot, at position: StreamPosition) {}

  package func offer(_ update: ResultsUpdate, at position: StreamPosition) {}

  package func acknowledge(_ token: String) -> Bool { true }

  /// Writes what is not written yet, and releases the file.
  package func close() {}
}
