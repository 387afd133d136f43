import DiffableSnapshot
import Files
package import Store
package import Streams
package import Values

/// Prints for people what the stream reports to programs: the list as a table, then each update in
/// lines such as `~ 2  dan  rating: 8 → 9`.
///
/// ```swift
/// var sink = TextSink(root: "colors", options: .plain, output: StandardOutput()) { Timestamp.now }
/// for await event in results.events { try sink.receive(event) }
/// ```
package struct TextSink<Output: ByteOutput> {
  /// The destination of the text.
  package private(set) var output: Output
  private var writer: EventWriter

  /// The options. Update them before an event if the window may have changed.
  package var options: TextOptions {
    get { writer.options }
    set { writer.options = newValue }
  }

  /// - Parameters:
  ///   - root: The folder's name in `Watching colors…`.
  ///   - options: The terminal or file to write for.
  ///   - output: The destination of the text.
  ///   - clock: Returns the time of a step. Its text is shown, so it decides the time zone; local
  ///     time without a zone is the shortest.
  ///   - followsChanges: False if the program ends after the list.
  package init(
    root: String, options: TextOptions, output: Output, followsChanges: Bool = true,
    clock: @escaping @Sendable () -> Timestamp
  ) {
    writer = EventWriter(root: root, options: options, followsChanges: followsChanges, clock: clock)
    self.output = output
  }

  /// Writes an event completely before it returns. Throws the errors of the output.
  package mutating func receive(_ event: ResultsEvent) throws {
    try writer.pieces(of: event).write(to: &output)
  }

  /// Writes a step with a title instead of its time.
  package mutating func receive(_ event: ResultsEvent, titled title: String) throws {
    try writer.pieces(of: event, titled: title).write(to: &output)
  }

  /// Writes what changed since an earlier run. If nothing changed and no updates follow, it writes
  /// nothing, so that cron sends no mail.
  ///
  /// - Parameters:
  ///   - event: The first event of a subscription that resumes; nil if there is none.
  ///   - list: The list as it is now.
  package mutating func resume(_ event: ResultsEvent?, list: ResultsSnapshot) throws {
    try writer.resume(event, list: list).write(to: &output)
  }
}
