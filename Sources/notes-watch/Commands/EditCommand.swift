import ArgumentParser
import DirectoryWatch
import PlainStore
import PlainText

/// `edit`: items in the user's editor.
struct EditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit items in $VISUAL or $EDITOR; what cannot be read afterwards is not saved.",
    usage: "notes-watch edit DIR ID...",
    discussion: """
      The editor gets a copy of the file's text. When it ends, the copy is read: a mistake is told with its line and column, the item stays as it is, and on a terminal the editor \
      may be called again; otherwise, and where it is not saved since the item was changed meanwhile (see --merge-policy), the copy is kept and named. The policies store and rollback can \
      leave out what you wrote: the output then names these fields, the copy is kept, and the exit code is 0, since you chose the policy. A text that was not changed writes nothing. On \
      a terminal an item that is not there may be added.

      The editor has to wait until the file is closed: one that returns at once, such as `code` without --wait or `gvim` without -f, ends in an error (75), and the copy is kept.

      EXAMPLES
        notes-watch edit contacts friends/ada
        EDITOR='code --wait' notes-watch edit notes today
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("Ids, as list -o id prints them.", valueName: "id"))
  var ids: [String]

  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var merging: PolicyOptions

  func validate() throws {
    if ids.contains("-") {
      throw ValidationError("`-` names no item: edit reads none from standard input. Give the ids. (The id `-` is written %2D.)")
    }
  }

  func run() async throws {
    guard let editor = Editor() else {
      throw Failure.exit(.usage, "There is no editor: set EDITOR, or VISUAL on a terminal.")
    }
    // One after the other, each with a writer of its own: what was edited is saved before the next is opened.
    var failure: (any Error)?
    var known: Set<Item.ID> = []
    for name in try ItemWriter.named(ids, in: folder) {
      do {
        let id = try name.get()
        guard known.insert(id).inserted else { continue }
        try edit(id, editor)
      } catch let error as EditError {
        let code = Failure.exit(ExitCode(error), FolderName(folder.folder).description(of: error))
        failure = failure ?? code
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func edit(_ id: Item.ID, _ editor: Editor) throws {
    var writer = try ItemWriter(folder, writing, policy: merging.mergePolicy.policy)
    let item: EditedItem
    do {
      item = .old(try writer.editor.readText(id))
    } catch let error as EditError where error.code == .notFound && Person.isThere {
      guard Person.agrees(to: "There is no item `\(id)`. Add it?", usual: false) else { throw ExitCode.noInput }
      item = try added(id, writer)
    } catch let error as EditError {
      writer.fail(error)
      if error.code == .notFound { StandardError.write("notes-watch: `notes-watch add` adds items.") }
      return try writer.finish()
    } catch let error as StoreError {
      throw Failure.exit(error)
    }
    try edit(item, editor, &writer)
  }

  private func added(_ id: Item.ID, _ writer: ItemWriter) throws -> EditedItem {
    do {
      var newItems = try writer.editor.newItems(.current())
      let plan = try newItems.plan(id.description) { $0 }
      return .new(plan, try writer.editor.text(of: plan))
    } catch let error as EditError {
      throw Failure.exit(ExitCode(error), FolderName(folder.folder).description(of: error))
    } catch let error as StoreError {
      throw Failure.exit(error)
    }
  }

  private func edit(_ item: EditedItem, _ editor: Editor, _ writer: inout ItemWriter) throws {
    let draft = try failing { () throws(InputFileError) in try Draft(item.text, named: item.fileName) }
    guard let text = try text(of: item, from: draft, editor, writer.editor) else { return }
    switch item {
    case .old(let item): writer.scope.replace(item.id, with: text, readAt: item.revision)
    case .new(let plan, _): writer.scope.insert(plan.id, text: text, format: plan.format, at: plan.path)
    }
    do {
      try writer.finish()
    } catch {
      StandardError.write("notes-watch: \(draft.isKept)")
      throw error
    }
    // The policy decides what is saved, not what is thrown away.
    if writer.hasUnsaved || DetachedEditor(command: editor.command).sign(on: draft) != nil {
      StandardError.write("notes-watch: \(draft.isKept)")
    } else {
      draft.remove()
    }
  }

  /// What is to be saved; nil where nothing was changed, and then the draft is gone.
  private func text(of item: EditedItem, from draft: Draft, _ editor: Editor, _ items: ItemEditor) throws -> [UInt8]? {
    while true {
      let failure = editor.run(on: draft.path)
      let text = try read(draft, upTo: items.limits.maximumSize)
      if let failure {
        let rest = text == item.text ? "" : " \(draft.isKept)"
        if text == item.text { draft.remove() }
        throw Failure.exit(.failure, "The editor \(failure); nothing was saved.\(rest)")
      }
      if text == item.text {
        let detached = DetachedEditor(command: editor.command)
        if let sign = detached.sign(on: draft) {
          let reason = "The editor returned without a change and may still be open. \(sign) Nothing was saved."
          throw Failure.exit(.tryAgain, "\(reason) \(draft.isKept) \(detached.advice)")
        }
        draft.remove()
        try ItemWriter.tell("unchanged \(item.path)")
        return nil
      }
      guard let problem = items.problem(with: text, as: item.format) else { return text }
      StandardError.writeLine("\(FolderName(folder.folder).path(of: item.path)):\(problem)")
      if Person.isThere, Person.agrees(to: "Edit it again?", usual: true) { continue }
      throw Failure.exit(.badData, "\(FolderName(folder.folder).path(of: item.path)) is as it was. \(draft.isKept)")
    }
  }

  /// An editor may have removed the file, and may have left others beside it.
  private func read(_ draft: Draft, upTo maximum: Int) throws -> [UInt8] {
    do throws(InputFileError) {
      return try draft.read(upTo: maximum)
    } catch {
      let rest = draft.removeEmpty() ? "" : " What the editor left is kept in \(draft.folder)."
      throw Failure.exit(.cannotCreate, "\(error) Nothing was saved.\(rest)")
    }
  }

  private func failing<Result>(_ body: () throws(InputFileError) -> Result) throws -> Result {
    do throws(InputFileError) {
      return try body()
    } catch {
      throw Failure.exit(.cannotCreate, error.description)
    }
  }
}

/// What an editor is opened on.
private enum EditedItem {
  case old(RawItem)
  case new(NewItems.Plan, [UInt8])

  var text: [UInt8] {
    switch self {
    case .old(let item): item.bytes
    case .new(_, let text): text
    }
  }

  var path: RelativePath {
    switch self {
    case .old(let item): item.path
    case .new(let plan, _): plan.path
    }
  }

  var format: TextFormat {
    switch self {
    case .old(let item): item.format
    case .new(let plan, _): plan.format
    }
  }

  /// Its own name, where that fits into a folder also as it is printed.
  var fileName: String {
    let name = String(path.name)
    return name.utf8.count <= 100 ? name : "item.\(format.pathExtensions[0])"
  }
}
