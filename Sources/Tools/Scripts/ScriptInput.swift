import Store
import Streams

/// The standard input and the environment of one run.
///
/// Nothing from the content of a file is in the environment. With an `id-field`, ids are content,
/// too.
struct ScriptInput {
  let bytes: [UInt8]
  let environment: [(name: String, value: [UInt8])]

  init(
    of update: ListUpdate<Item>, line: [UInt8], from since: StreamPosition, to position: StreamPosition,
    root: [UInt8],
    options: CommandSettings
  ) {
    bytes =
      switch options.input ?? (options.isEach ? .changes : .update) {
      case .update: line
      case .changes: StreamEncoder.changes(of: update)
      case .ids: ScriptInput.ids(of: update, end: options.isNullTerminated ? 0 : UInt8(ascii: "\n"))
      case .nothing: []
      }
    var variables: [(String, String)] = [
      ("SEQ", "\(position.seq)"), ("TOKEN", position.token), ("SINCE", since.token),
      ("COUNT", "\(update.new.count)"),
    ]
    if options.isEach, let row = update.rows.first {
      variables.append(
        (
          "OP",
          update.diff.changes.first?.operation
            ?? update.takenBack.first.map { $0.isDeleted ? "delete" : "update" } ?? ""
        ))
      if let path = update.path(of: row) { variables.append(("PATH", path.description)) }
    }
    environment = [("NOTES_WATCH_ROOT", root)] + variables.map { ("NOTES_WATCH_" + $0, Array($1.utf8)) }
  }

  /// Returns the id of each item that changed or is taken back, once and in this order.
  private static func ids(of update: ListUpdate<Item>, end: UInt8) -> [UInt8] {
    var seen: Set<Item.ID> = []
    let ids = update.rows.map(\.item).filter { seen.insert($0).inserted }
    return ids.flatMap { Array($0.description.utf8) + [end] }
  }
}

extension ListUpdate<Item> {
  /// Returns the path of a row that changed or is taken back: for a delete the old one.
  func path(of row: Item.ID) -> RelativePath? {
    if let change = diff.changes.first(where: { $0.item == row }) {
      return (change.to == nil ? old : new).path(of: row)
    }
    return takenBack.first { $0.id == row }?.path
  }
}
