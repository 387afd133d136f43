/// What a program's stream says so far, taken together: the items and the problems as they stand, and all that was deleted on the way.
struct FoldedStream {
  private(set) var items: [String: JSON] = [:]
  private(set) var problems: [String: String] = [:]
  private(set) var deleted: [String] = []
  private(set) var updates = 0

  /// Of whole lines; a line that is still being written is none.
  init(_ state: Program.State) throws {
    guard let end = state.output.lastIndex(of: UInt8(ascii: "\n")) else { return }
    for line in state.output[...end].split(separator: UInt8(ascii: "\n")) { take(try JSON(line)) }
  }

  private mutating func take(_ line: JSON) {
    switch line.type {
    case "snapshot":
      for item in line.sections.list.flatMap(\.items.list) { items[item.id.string ?? ""] = item.value }
    case "update":
      updates += 1
      for change in line.changes.list { take(change: change) }
    case "problem":
      problems[line.path.string ?? ""] = line.state == "raised" ? line.message.string : nil
    default: break
    }
  }

  private mutating func take(change: JSON) {
    guard let id = change.id.string else { return }
    if change.op == "delete" {
      items[id] = nil
      deleted.append(id)
    } else if change.keys.contains("value") {
      items[id] = change.value
    }
  }
}

extension NotesWatch {
  /// What `list` prints now, as items by their ids.
  static func items(in folder: String) async throws -> [String: JSON] {
    let list = try await json("list", folder, "-o", "json").list
    return Dictionary(list.map { ($0.id.string ?? "", $0.value) }) { $1 }
  }
}
