import ArgumentParser
import PlainStore
import Sinks

/// `get`: single items.
struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print items by their ids, as JSON or as their files' text.",
    discussion: """
      One id gives one JSON object {id, path, value}, several give an array of them. With -o text the files' bytes are printed as they are.
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, text
  }

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("Ids, as list -o id prints them.", valueName: "id"))
  var ids: [String]

  @Option(name: .shortAndLong, help: "How to print them: json or text.")
  var output = Format.json

  func run() async throws {
    let store = try Session.open(folder.folder, watching: false, folder.storeOptions())
    let items = try ids.map { id in
      guard let item = store.item(Item.ID(printed: id)) else { throw missing(id, in: store) }
      return item
    }
    var standardOutput = BufferedOutput(StandardOutput())
    switch output {
    case .json where items.count == 1: try standardOutput.write(ItemListWriter.json(of: items[0]) + [UInt8(ascii: "\n")])
    case .json: try ItemListWriter.writeArray(items, to: &standardOutput)
    case .text: for item in items { try standardOutput.write(text(of: item, in: store)) }
    }
    try standardOutput.flush()
  }

  private func text(of item: Item, in store: ItemStore) throws -> [UInt8] {
    do throws(Problem) {
      let bytes = try store.fileBytes(of: item)
      if !StandardOutput.isTerminal { return bytes }
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
      return Array(lines.map { DisplayText.safe(String($0)) }.joined(separator: "\n").utf8)
    } catch {
      throw Failure.exit(.systemError, error.description)
    }
  }

  private func missing(_ id: String, in store: ItemStore) -> ExitCode {
    let id = Item.ID(printed: id)
    if let problem = store.problems.first(where: { Item.ID(path: $0.path) == id }) { return Failure.exit(.badData, problem.description) }
    return Failure.exit(.noInput, "There is no item `\(id)` in \(store.root); `notes-watch list \(store.root) -o id` prints all ids.")
  }
}
