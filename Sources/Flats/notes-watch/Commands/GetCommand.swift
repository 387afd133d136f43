import ArgumentParser
import Printing
import StateStore
import Store

struct GetCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Print items by their ids, as JSON or as the text of their files.",
    usage: "notes-watch get DIR ID... [-o json|text]\nnotes-watch get DIR - [-o json|text]",
    discussion: """
      One id prints a JSON object {id, path, value}; several ids print an array of such objects. With -o text the bytes \
      of the files are printed. An item whose file has a problem is an error (65), also with -o text. If an item fails, \
      the error is printed and the other items are printed.

      With - instead of ids, the items come from standard input: a JSON array, JSON Lines, or one id per line, as list \
      -o json, -o jsonl and -o id print them. The output is then always an array, and nothing is printed if an item \
      fails.

      EXAMPLES
        notes-watch get contacts friends/ada
        notes-watch get contacts friends/ada -o text
        notes-watch list contacts --search London -o id | notes-watch get contacts -
      """)

  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, text
  }

  @OptionGroup var folder: FolderOptions
  @OptionGroup var cache: CacheOptions

  @Argument(
    help: ArgumentHelp(
      "Ids, as `list -o id` prints them, or - for items from standard input.", valueName: "ID"))
  var ids: [String]

  @Option(name: .shortAndLong, help: ArgumentHelp("The output format.", valueName: "FORMAT"))
  var output = Format.json

  func validate() throws { try ids.checkInput() }

  func run() async throws {
    let store = try ItemStore(at: folder.folder, watching: false, options: folder.storeOptions(cache))
    let recording = CacheRecording(of: store)
    defer { recording.finish() }
    let names = try ids.areInput ? inputIDs().map(Result.success) : ids(named: ids, in: store)
    var failure: (any Error)?
    var items: [Item] = []
    for name in names {
      do {
        items.append(try item(name, in: store))
      } catch {
        let error = Failure.report(error)
        failure = failure ?? error
      }
    }
    if let failure, items.isEmpty || ids.areInput { throw failure }
    var standardOutput = BufferedOutput()
    switch output {
    case .json where ids.count == 1 && !ids.areInput:
      try standardOutput.write(ItemListWriter.json(of: items[0]) + [UInt8(ascii: "\n")])
    case .json: try ItemListWriter.writeArray(items, to: &standardOutput)
    case .text: for item in items { try standardOutput.write(text(of: item, in: store)) }
    }
    try standardOutput.flush()
    if let failure { throw failure }
  }

  private func inputIDs() throws -> [Item.ID] {
    let list = try ItemList.standardInput(usesValues: false, folder.storeOptions().limits)
    for message in list.messages { StandardError.reportLine(message) }
    if !list.errors.isEmpty { throw ExitCode.badData }
    return list.entries.map(\.id)
  }

  /// Resolves a word that is not an id as a path, which reads the folder again.
  private func ids(named words: [String], in store: ItemStore) throws -> [Result<Item.ID, EditError>] {
    let ids = words.map { Item.ID(printed: $0) }
    let others = zip(words, ids).filter { store.item($1) == nil }.map(\.0)
    var named = (others.isEmpty ? [] : try ItemWriter.named(others, in: folder))[...]
    return ids.map { store.item($0) == nil ? named.popFirst() ?? .success($0) : .success($0) }
  }

  private func text(of item: Item, in store: ItemStore) throws -> [UInt8] {
    do throws(Problem) {
      let bytes = try store.fileBytes(at: item.path)
      return StandardOutput.isTerminal ? DisplayText.safeLines(bytes) : bytes
    } catch {
      throw Failure(.systemError, FolderName(folder.folder).description(of: error))
    }
  }

  private func item(_ name: Result<Item.ID, EditError>, in store: ItemStore) throws(Failure) -> Item {
    let id: Item.ID
    do throws(EditError) { id = try name.get() } catch { throw Failure(error, in: folder.folder) }
    if let item = store.item(id) { return item }
    if let problem = store.problems.first(where: { Item.ID(path: $0.path) == id }) {
      throw Failure(.badData, FolderName(folder.folder).description(of: problem))
    }
    throw Failure(
      .noInput,
      Failure.missingItem(id, in: folder.folder, among: store.fetch(FetchRequest()).list.itemIdentifiers))
  }
}
