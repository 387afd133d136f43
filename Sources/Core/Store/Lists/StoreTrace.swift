/// One act of a store with its duration: a reading of files, a step of its lists, or a save.
///
/// ```swift
/// store.trace { print($0) }
/// // read 1 file in 0.4 ms
/// // step: 1 item to 2 lists in 0.1 ms (changed)
/// // save: ada: updated in 9.8 ms
/// ```
public struct StoreTrace: Sendable, CustomStringConvertible {
  enum Act: Sendable {
    case read(files: Int)
    case step(StoreChanges, lists: Int, UpdateCause)
    /// The outcomes of its changes.
    case save([String])
  }

  let act: Act
  /// The time that the act took. A save includes the waiting for other saves and programs.
  public let duration: Duration

  /// The act, its extent, and the duration in milliseconds. The ids of at most ten items of a save are shown.
  public var description: String {
    switch act {
    case .read(let count): "read \(Printing.count(count, "file")) in \(time)"
    case .step(let changes, let lists, let cause):
      "step: \(parts(of: changes)) to \(Printing.count(lists, "list")) in \(time) (\(cause))"
    case .save(let outcomes): "save: \(Printing.list(outcomes)) in \(time)"
    }
  }

  private func parts(of changes: StoreChanges) -> String {
    let problems = changes.paths.isEmpty ? "" : " and \(Printing.count(changes.paths.count, "problem"))"
    return Printing.count(changes.ids.count, "item") + problems
  }

  private var time: String {
    let microseconds = duration / .microseconds(1)
    return "\((microseconds / 100).rounded() / 10) ms"
  }
}
