import ArgumentParser
import DirectoryWatch
import PlainStore
import PlainText

/// `edit`: opens items in the user's editor.
struct EditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit",
    abstract: "Edit items in $VISUAL or $EDITOR. Only valid text is saved.",
    usage: "notes-watch edit DIR ID...",
    discussion: """
      The editor opens a copy of the file. When the editor ends, the copy is saved if it is valid and was changed. If it \
      is not valid, the error is printed with its line and column, and the item stays as it is. On a terminal you can \
      then edit the copy again, and add an item that does not exist.

      A copy that could not be saved is kept, and its path is printed. The merge policies store and rollback can leave \
      out fields that you changed. The output then names these fields and the copy is kept, but the exit code is 0.

      The editor must wait until the file is closed. One that returns at once, such as `code` without --wait or `gvim` \
      without -f, causes an error (75), and the copy is kept.

      EXAMPLES
        notes-watch edit contacts friends/ada
        EDITOR='code --wait' notes-watch edit notes today
      """)

  @OptionGroup var folder: FolderOptions

  @Argument(help: ArgumentHelp("Ids, as `list -o id` prints them.", valueName: "ID"))
  var ids: [String]

  @OptionGroup(title: "Writing") var writing: WriteOptions
  @OptionGroup(title: "Writing") var merging: PolicyOptions

  func validate() throws {
    if ids.contains("-") {
      throw ValidationError("edit cannot read items from standard input (`-`). Give their ids. (The id `-` is written %2D.)")
    }
  }

  func run() async throws {
    guard let editor = Editor() else {
      throw Failure.report(.usage, "No editor is set. Set EDITOR, or VISUAL on a terminal.")
    }
    // Each item has its own writer, so that it is saved before the next one is opened.
    var failure: (any Error)?
    var known: Set<Item.ID> = []
    for name in try ItemWriter.named(ids, in: folder) {
      do {
        let id = try name.get()
        guard known.insert(id).inserted else { continue }
        try edit(id, editor)
      } catch let error as EditError {
        let code = Failure.report(ExitCode(error), FolderName(folder.folder).description(of: error))
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
    } catch let error as EditError where error.code == .notFound && Prompt.isInteractive {
      guard Prompt.confirm("There is no item `\(id)`. Add it?", default: false) else { throw ExitCode.noInput }
      item = try added(id, writer)
    } catch let error as EditError {
      writer.fail(error)
      if error.code == .notFound {
        StandardError.writeLine("notes-watch: To add it, run: notes-watch add \(ShellWord(folder.folder)) \(ShellWord(id.description))")
      }
      return try writer.finish()
    } catch let error as StoreError {
      throw Failure.report(error)
    }
    try edit(item, editor, &writer)
  }

  private func added(_ id: Item.ID, _ writer: ItemWriter) throws -> EditedItem {
    do {
      var newItems = try writer.editor.newItems(.current())
      let plan = try newItems.plan(id.description) { $0 }
      return .new(plan, try writer.editor.text(of: plan))
    } catch let error as EditError {
      throw Failure.report(ExitCode(error), FolderName(folder.folder).description(of: error))
    } catch let error as StoreError {
      throw Failure.report(error)
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
      StandardError.write("notes-watch: \(draft.keptMessage)")
      throw error
    }
    // The policy decides what is saved, but the person's text is never lost.
    if writer.hasUnsaved || DetachedEditor(command: editor.command).sign(on: draft) != nil {
      StandardError.write("notes-watch: \(draft.keptMessage)")
    } else {
      draft.remove()
    }
  }

  /// Runs the editor until the text is valid, and returns the text; nil if it was not changed. The
  /// draft is then removed.
  private func text(of item: EditedItem, from draft: Draft, _ editor: Editor, _ items: ItemEditor) throws -> [UInt8]? {
    while true {
      let failure = editor.run(on: draft.path)
      let text = try read(draft, upTo: items.limits.maxSize)
      if let failure {
        let rest = text == item.text ? "" : " \(draft.keptMessage)"
        if text == item.text { draft.remove() }
        throw Failure.report(.failure, "The editor \(failure). Nothing was saved.\(rest)")
      }
      if text == item.text {
        let detached = DetachedEditor(command: editor.command)
        if let sign = detached.sign(on: draft) {
          let reason = "The editor returned without a change and may still be open. \(sign) Nothing was saved."
          throw Failure.report(.tryAgain, "\(reason) \(draft.keptMessage) \(detached.advice)")
        }
        draft.remove()
        try ItemWriter.printLine("unchanged \(item.path)")
        return nil
      }
      guard let problem = items.problem(with: text, as: item.format) else { return text }
      StandardError.writeLine("notes-watch: \(FolderName(folder.folder).path(of: item.path)):\(problem)")
      if Prompt.isInteractive, Prompt.confirm("Edit it again?", default: true) { continue }
      throw Failure.report(.badData, "\(FolderName(folder.folder).path(of: item.path)) was not changed. \(draft.keptMessage)")
    }
  }

  /// Reads what the editor left. It may have removed the file, or created other files beside it.
  private func read(_ draft: Draft, upTo maximum: Int) throws -> [UInt8] {
    do throws(InputFileError) {
      return try draft.read(upTo: maximum)
    } catch {
      let rest = draft.removeEmpty() ? "" : " The editor's files are kept in \(draft.folder)."
      throw Failure.report(.cannotCreate, "\(error) Nothing was saved.\(rest)")
    }
  }

  private func failing<Result>(_ body: () throws(InputFileError) -> Result) throws -> Result {
    do throws(InputFileError) {
      return try body()
    } catch {
      throw Failure.report(.cannotCreate, error.description)
    }
  }
}

/// The item that the editor opens.
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

  /// The name of the item's file, or a short one if the printed form of that name is too long for a
  /// file system.
  var fileName: String {
    let name = String(path.name)
    return name.utf8.count <= 100 ? name : "item.\(format.pathExtensions[0])"
  }
}
