import ArgumentParser
import DirectoryWatch
import PlainStore
import PlainText
import Sinks

/// Gathers what a command is to change, writes it, and tells what became of it: one line an item on standard output, what failed on standard error.
///
/// Each item is by itself: one that fails keeps no other from being written, and the command ends with the code of the first failure.
struct ItemWriter {
  let editor: ItemEditor
  var scope = EditScope()
  private let folder: String
  private let isDryRun: Bool
  private let policy: MergePolicy
  private var failure: ExitCode?
  /// True if the policy did not save all of a change.
  private(set) var hasUnsaved = false
  /// What is known before anything is written.
  private var lines: [String] = []

  init(_ folder: FolderOptions, _ options: WriteOptions, policy: MergePolicy = .error) throws {
    self.folder = folder.folder
    isDryRun = options.dryRun
    self.policy = policy
    let storeOptions = try folder.storeOptions()
    editor = try ItemWriter.opening { () throws(StoreError) in try ItemEditor(root: folder.folder, options: storeOptions) }
  }

  static func opening<Result>(_ body: () throws(StoreError) -> Result) throws -> Result {
    do throws(StoreError) {
      return try body()
    } catch {
      throw Failure.exit(error)
    }
  }

  /// Something was not done.
  mutating func fail(_ code: ExitCode, _ message: String) {
    StandardError.writeLine("notes-watch: \(message)")
    failure = failure ?? code
  }

  /// - Parameter place: where it was asked for, with a colon and a blank; empty for the command line.
  mutating func fail(_ error: EditError, at place: String = "") {
    var message = FolderName(folder).description(of: error)
    if error.code == .notFound, error.path == nil {
      message = "There is no item `\(error.id)` in \(folder); `notes-watch list \(folder) -o id` prints all ids."
    }
    if error.dependsOnPolicy { message += " The policies are listed under --merge-policy in the help." }
    fail(ExitCode(error), place + message)
  }

  /// Ends the command before anything is written if something is wrong with what standard input names.
  func checkInput(_ options: InputOptions) throws {
    guard let failure, !options.keepGoing else { return }
    StandardError.write("notes-watch: Nothing was written. Correct the input, or write the others with --keep-going.")
    throw failure
  }

  /// The id of the item that each word names. All are resolved before anything is written: a change could give a word another meaning.
  static func named(_ words: [String], in folder: FolderOptions) throws -> [Result<Item.ID, EditError>] {
    let options = try folder.storeOptions()
    return try opening { () throws(StoreError) in try ItemEditor(root: folder.folder, options: options).ids(named: words) }
  }

  /// The ids of the items that words name, each once. A word that may name two is reported, and left out.
  mutating func ids(of words: [String]) throws -> [Item.ID] {
    ids(try ItemWriter.opening { () throws(StoreError) in try editor.ids(named: words) })
  }

  /// The ids that were found, each once. Reports the others.
  mutating func ids(_ results: [Result<Item.ID, EditError>]) -> [Item.ID] {
    var known: Set<Item.ID> = []
    var ids: [Item.ID] = []
    for result in results {
      switch result {
      case .success(let id): if known.insert(id).inserted { ids.append(id) }
      case .failure(let error): fail(error)
      }
    }
    return ids
  }

  /// How a list of items is read for this folder.
  var listUse: ItemList.Use { editor.idsArePaths ? .idsArePaths : [] }

  /// The ids of the items on standard input that exist; others are reported, and left out.
  ///
  /// A line is never read as a path: given twice, the same list would name other items the second time.
  mutating func existingIDs(_ entries: [ItemList.Entry]) throws -> [Item.ID] {
    let ids = entries.map(\.id)
    let results = try ItemWriter.opening { () throws(StoreError) in try editor.paths(of: ids) }
    return zip(entries, results).compactMap { entry, result in
      switch result {
      case .success: return entry.id
      case .failure(let error):
        fail(error, at: "Standard input, line \(entry.number): ")
        return nil
      }
    }
  }

  /// Several items as they are now, in their order; what cannot be read is told, and left out.
  mutating func read(_ ids: [Item.ID]) throws -> [ItemFile] {
    var files: [ItemFile] = []
    for result in try ItemWriter.opening({ () throws(StoreError) in try editor.readAll(ids) }) {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let error): fail(error)
      }
    }
    return files
  }

  /// Reports each word that makes a string of a number. An item that cannot be read is reported when it is written.
  func warn(of assignments: [Assignment], in ids: [Item.ID]) throws {
    let words = assignments.filter(\.needsNumberCheck)
    if words.isEmpty { return }
    for case .success(let file) in try ItemWriter.opening({ () throws(StoreError) in try editor.readAll(ids) }) {
      for warning in words.compactMap({ $0.warning(for: file.fields) }) { StandardError.writeLine("notes-watch: \(file.path): \(warning)") }
    }
  }

  /// Edits of what was read. None is told, too.
  mutating func change(_ file: ItemFile, _ edits: [TextEdit]) {
    if edits.isEmpty { lines.append("unchanged \(file.path)") } else { scope.update(file.id, edits, readAt: file.revision) }
  }

  /// Writes what was gathered, or prints what that would be.
  ///
  /// - Throws: the code of the first failure, of those before it too.
  mutating func finish() throws {
    if isDryRun { try preview() } else { try save() }
    if let failure { throw failure }
  }

  private mutating func preview() throws {
    var output = BufferedOutput(StandardOutput())
    for preview in try ItemWriter.opening({ () throws(StoreError) in try editor.preview(scope, policy: policy) }) {
      if let path = preview.outcome.path, preview.outcome.error == nil {
        try output.write(ItemWriter.shown(UnifiedDiff(of: path.bytes, from: preview.old, to: preview.new)))
      }
      tellProblems(preview.outcome)
    }
    try output.flush()
  }

  /// A line is out as soon as its item is safe: whoever interrupts knows what was done.
  private mutating func save() throws {
    for line in lines { try ItemWriter.tell(line) }
    do {
      try editor.save(scope, policy: policy) { outcome in
        if let line = ItemWriter.line(outcome) { try ItemWriter.tell(line) }
        tellProblems(outcome)
      }
    } catch let error as StoreError {
      throw Failure.exit(error)
    }
  }

  /// A line of what was done.
  static func tell(_ line: String) throws { try StandardOutput().write(Array("\(DisplayText.safe(line))\n".utf8)) }

  private mutating func tellProblems(_ outcome: SaveOutcome) {
    hasUnsaved = hasUnsaved || !outcome.unsaved.isEmpty
    let path = outcome.path.map { FolderName(folder).path(of: $0) }
    if isDryRun, !outcome.unsaved.isEmpty, let path {
      StandardError.writeLine("notes-watch: \(path): by this merge policy \(outcome.unsaved.summary).")
    }
    for warning in outcome.warnings { StandardError.writeLine("notes-watch: \(path.map { "\($0): " } ?? "")\(warning)") }
    if let error = outcome.error { fail(error) }
  }

  /// What was done; nil where that failed.
  private static func line(_ outcome: SaveOutcome) -> String? {
    let name = outcome.path?.description ?? outcome.id.description
    let unsaved = outcome.unsaved.isEmpty ? "" : "; \(outcome.unsaved.summary)"
    return switch outcome.result {
    case .inserted: "added \(name)"
    case .updated(isMerged: false): "changed \(name)"
    case .updated(isMerged: true): "changed \(name), merged with what was saved there meanwhile\(unsaved)"
    case .deleted: "removed \(name)"
    case .unchanged: "unchanged \(name)"
    case .discarded: "kept \(name) as another program saved it\(unsaved)"
    case .failed: nil
    }
  }

  /// For `git apply` as it is; for a terminal without anything that could control it.
  private static func shown(_ diff: UnifiedDiff) -> [UInt8] {
    StandardOutput.isTerminal ? DisplayText.safeLines(diff.bytes) : diff.bytes
  }
}

extension ExitCode {
  /// What tells a script why a change was not made.
  init(_ error: EditError) {
    self =
      switch error.code {
      case .notFound: .noInput
      case .invalidID, .exists, .readOnly, .noSpace: .cannotCreate
      case .refused: error.refusal?.reason == .missing ? .noInput : .badData
      case .ambiguous, .unreadable: .badData
      case .conflict, .busy: .tryAgain
      case .permissionDenied: .noPermission
      default: .cannotWrite
      }
  }
}
