import ArgumentParser
import Printing
import Store
import Survey

/// Collects the changes of a command, writes them, and reports the results: one line per item on
/// standard output, failures on standard error.
///
/// Items are independent: if one fails, the others are written, and the command ends with the exit
/// code of the first failure.
struct ItemWriter {
  /// The folder, opened once for all questions and the save.
  var session: EditSession
  var scope = EditScope()
  private let folder: String
  private let isDryRun: Bool
  private let policy: MergePolicy
  private var failure: ExitCode?
  private(set) var hasUnsaved = false
  /// The warnings about the values to write, once per field and kind.
  private(set) var doubts: [FieldDoubt] = []
  private var knownDoubts: [FieldPath: Set<FieldDoubt.Kind>] = [:]
  private var warned: Set<FieldPath> = []
  private var lines: [String] = []
  private let options: StoreOptions
  /// The ids of the folder, read when one is missing.
  private lazy var knownIDs = Array(
    (try? ItemStore(at: folder, watching: false, options: options))?.fetch(FetchRequest()).list
      .itemIdentifiers ?? [])
  /// The missing ids for which a similar one may still be searched: standard input may list any number.
  private var searches = 10

  init(_ folder: FolderOptions, _ options: WriteOptions, policy: MergePolicy = .error) throws {
    self.folder = folder.folder
    isDryRun = options.dryRun
    self.policy = policy
    let storeOptions = try folder.storeOptions()
    self.options = storeOptions
    session = try EditSession(RootPath(folder.folder), storeOptions, policy: policy)
  }

  mutating func resolved(_ assignments: [Assignment]) throws -> [Assignment] {
    let resolved: [Assignment]
    do throws(Failure) {
      resolved = try assignments.resolved(session.limits, hintsAtIDs: true)
    } catch {
      throw Failure(.noInput, error.description)
    }
    // The settings may have changed while a person typed.
    if assignments.readStandardInput { try session.reopen() }
    return resolved
  }

  mutating func standardInput(usesValues: Bool = true, areNew: Bool = false) throws -> [ItemList.Entry] {
    let list = try ItemList.standardInput(
      usesValues: usesValues, idsArePaths: session.idsArePaths && !areNew, session.limits)
    // The input may have taken long, and its author may have changed the folder.
    try session.reopen()
    for message in list.messages { fail(.badData, message) }
    return list.entries
  }

  mutating func fail(_ code: ExitCode, _ message: String) {
    StandardError.reportLine(message)
    failure = failure ?? code
  }

  /// - Parameter place: Such as `Standard input, line 3: `; empty for the command line.
  mutating func fail(_ error: EditError, at place: String = "") {
    var message = FolderName(folder).description(of: error)
    if error.code == .notFound, error.path == nil {
      message = Failure.missingItem(error.id, in: folder, among: searches > 0 ? knownIDs : [])
      searches -= 1
    }
    if error.dependsOnPolicy { message += " The policies are listed under --merge-policy in the help." }
    fail(ExitCode(error), place + message)
  }

  /// Ends the command before anything is written if standard input has errors, unless with `--keep-going`.
  func checkInput(_ options: InputOptions) throws {
    guard let failure, !options.keepGoing else { return }
    StandardError.report(
      "Nothing was written. Correct the input, or write the other items with --keep-going.")
    throw failure
  }

  /// All words are resolved before anything is written: a change could give a word another meaning.
  static func named(_ words: [String], in folder: FolderOptions) throws -> [Result<Item.ID, EditError>] {
    var session = try EditSession(RootPath(folder.folder), try folder.storeOptions())
    return session.ids(named: words)
  }

  mutating func ids(of words: [String]) -> [Item.ID] { ids(session.ids(named: words)) }

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

  /// Reports the ids that no item has. A line is never read as a path: the same list, given again, would name
  /// other items.
  mutating func existingIDs(_ entries: [ItemList.Entry]) -> [Item.ID] {
    zip(entries, session.paths(of: entries.map(\.id))).compactMap { entry, result in
      switch result {
      case .success: return entry.id
      case .failure(let error):
        fail(error, at: "Standard input, line \(entry.number): ")
        return nil
      }
    }
  }

  mutating func read(_ ids: [Item.ID]) -> [ItemFile] {
    var files: [ItemFile] = []
    for result in session.readAll(ids) {
      switch result {
      case .success(let file): files.append(file)
      case .failure(let error): fail(error)
      }
    }
    return files
  }

  /// Warns where a string replaces a number. An item that cannot be read is reported when it is written.
  mutating func warn(of assignments: [Assignment], in ids: [Item.ID]) {
    let words = assignments.filter(\.needsNumberCheck)
    if words.isEmpty { return }
    for case .success(let file) in session.readAll(ids) {
      for word in words {
        guard let warning = word.warning(for: file.fields) else { continue }
        warned.insert(word.path)
        StandardError.reportLine("\(file.path): \(warning)")
      }
    }
  }

  mutating func add(_ found: [FieldDoubt]) {
    for doubt in found where knownDoubts[doubt.path, default: []].insert(doubt.kind).inserted {
      if !warned.contains(doubt.path) { doubts.append(doubt) }
    }
  }

  mutating func change(_ file: ItemFile, _ edits: [TextEdit]) {
    if edits.isEmpty {
      lines.append("unchanged \(file.path)")
    } else {
      scope.update(file.id, edits, readAt: file.revision)
    }
  }

  mutating func finish() throws {
    if isDryRun { try preview() } else { try save() }
    if let failure { throw failure }
  }

  private mutating func preview() throws {
    var output = BufferedOutput()
    for preview in session.preview(scope) {
      if let path = preview.outcome.path, preview.outcome.error == nil {
        let diff = UnifiedDiff(of: path.bytes, from: preview.old, to: preview.new).bytes
        // Unchanged for `git apply`.
        try output.write(StandardOutput.isTerminal ? DisplayText.safeLines(diff) : diff)
      }
      reportProblems(preview.outcome)
    }
    try output.flush()
  }

  /// Prints the line of each item as soon as it is safe, so that an interrupted run shows what was done.
  private mutating func save() throws {
    for line in lines { try ItemWriter.printLine(line) }
    session.begin(scope)
    // If a line cannot be printed, the remaining changes are not made.
    defer { session.cancel() }
    while let outcome = session.next() {
      if let line = ItemWriter.line(outcome) { try ItemWriter.printLine(line) }
      reportProblems(outcome)
    }
  }

  static func printLine(_ line: String) throws { try StandardOutput.write(line: DisplayText.safe(line)) }

  private mutating func reportProblems(_ outcome: SaveOutcome) {
    hasUnsaved = hasUnsaved || !outcome.unsaved.isEmpty
    let path = outcome.path.map { FolderName(folder).path(of: $0) }
    if isDryRun, !outcome.unsaved.isEmpty, let path {
      StandardError.reportLine("\(path): With this merge policy \(outcome.unsaved.summary).")
    }
    for warning in outcome.warnings { StandardError.reportLine("\(path.map { "\($0): " } ?? "")\(warning)") }
    if let error = outcome.error { fail(error) }
  }

  private static func line(_ outcome: SaveOutcome) -> String? {
    let name = outcome.path?.description ?? outcome.id.description
    let unsaved = outcome.unsaved.isEmpty ? "" : "; \(outcome.unsaved.summary)"
    return switch outcome.result {
    case .inserted: "added \(name)"
    case .updated(isMerged: false): "changed \(name)"
    case .updated(isMerged: true): "changed \(name), merged with another program's change\(unsaved)"
    case .deleted: "removed \(name)"
    case .renamed: "renamed \(outcome.id) to \(name)\(unsaved)"
    case .unchanged: "unchanged \(name)"
    case .discarded: "kept \(name) as another program saved it\(unsaved)"
    case .failed: nil
    }
  }
}
