import ArgumentParser
import Files
import Printing
import Store
import Terminal
import Values

/// The items that a person chose, as lines for the next program of a pipeline.
struct ChosenItems {
  /// The lines.
  private(set) var lines: [UInt8] = []
  /// The items that cannot be printed, each with the reason.
  private(set) var failures: [Failure] = []

  /// The reason why an item is not among the lines.
  struct Failure: Hashable {
    /// The exit code.
    let code: ExitCode
    /// A sentence that says what is wrong and what to do.
    let message: String
  }

  /// Writes the lines.
  ///
  /// - Parameters:
  ///   - ids: The chosen rows. An item is printed once.
  ///   - options: The form of the lines, and whether they begin with the key.
  ///   - key: The key that chose the items; nil for Enter.
  ///   - folder: The folder as it was typed.
  ///   - list: The newest list.
  ///   - isTerminal: True to show control characters as escapes.
  ///   - item: Returns an item of the store.
  init(
    _ ids: [Item.ID], _ options: ChoiceOptions, key: Key?, folder: String, list: ResultsSnapshot?,
    isTerminal: Bool,
    item: (Item.ID) -> Item?
  ) {
    if options.expect != nil { add(key.map { "\($0)" } ?? "") }
    var known: Set<Item.ID> = []
    for id in ids where known.insert(id.item).inserted {
      if options.form == .id {
        lines += IDWriter(isTerminal: isTerminal).line(of: id)
        continue
      }
      guard let item = item(id.item) else {
        failures.append(Failure(code: .noInput, message: "The item `\(id.item)` does not exist any more."))
        continue
      }
      if options.form == .json {
        let fields = list?.request.fields ?? []
        lines += ItemListWriter.line(of: item, section: list?.place(of: id)?.section, showing: fields)
      } else {
        addPath(of: item, in: folder, isTerminal: isTerminal)
      }
    }
  }

  private mutating func addPath(of item: Item, in folder: String, isTerminal: Bool) {
    let path = ChosenItems.path(of: item.path, in: folder)
    // A file could pass for two lines, and so for another file.
    if path.contains(where: { $0 == UInt8(ascii: "\n") || $0 == 0 }) {
      let advice = "Use --print id or --print json."
      failures.append(
        Failure(code: .badData, message: "The path of the item `\(item.id)` contains a line break. \(advice)")
      )
    } else if isTerminal {
      add(DisplayText.safe(String(decoding: path, as: UTF8.self)))
    } else {
      lines += path + [UInt8(ascii: "\n")]
    }
  }

  private mutating func add(_ line: String) { lines += Array("\(line)\n".utf8) }

  /// Returns the path of a file from the working directory, in the bytes of the system. It never
  /// begins with a dash, so that no program takes it for an option.
  private static func path(of path: RelativePath, in folder: String) -> [UInt8] {
    var name = Substring(folder)
    while name.utf8.count > 1, name.hasSuffix("/") || name.hasSuffix("/.") { name = name.dropLast() }
    let start = name == "." ? "" : name == "/" ? "/" : "\(name)/"
    let bytes = Array(start.utf8) + path.bytes
    return bytes.first == UInt8(ascii: "-") ? Array("./".utf8) + bytes : bytes
  }
}
