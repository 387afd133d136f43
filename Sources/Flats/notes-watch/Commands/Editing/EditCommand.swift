import ArgumentParser
import Files
import Store
import Values

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
      throw ValidationError(
        "edit cannot read items from standard input (`-`). Give their ids. (The id `-` is written %2D.)")
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
    do throws(EditError) {
      item = .old(try writer.session.readText(id))
    } catch {
      if error.code == .notFound, TerminalPrompt.standard.isInteractive {
        guard TerminalPrompt.standard.confirm("There is no item `\(id)`. Add it?", default: false) else {
          throw ExitCode.noInput
        }
        return try edit(try added(id, &writer), editor, &writer)
      }
      writer.fail(error)
      if error.code == .notFound {
        StandardError.reportLine(
          "To add it, run: notes-watch add \(ShellWord(folder.folder)) \(ShellWord(id.description))")
      }
      return try writer.finish()
    }
    try edit(item, editor, &writer)
  }

  private func added(_ id: Item.ID, _ writer: inout ItemWriter) throws -> EditedItem {
    do {
      let plan = try writer.session.newItems.plan(id.description) { $0 }
      return .new(plan, try writer.session.text(of: plan))
    } catch let error as EditError {
      throw Failure.report(ExitCode(error), FolderName(folder.folder).description(of: error))
    }
  }

  private func edit(_ item: EditedItem, _ editor: Editor, _ writer: inout ItemWriter) throws {
    let editing = ItemEditing(editor, writer.session.limits, folder.folder, .standard)
    let edited: ItemEditing.Result
    do throws(Failure) {
      edited = try editing.edit(item)
    } catch {
      throw Failure.report(error.code, error.description)
    }
    guard case .changed(let text, let draft) = edited else {
      return try ItemWriter.printLine("unchanged \(item.path)")
    }
    switch item {
    case .old(let item): writer.scope.replace(item.id, with: text, readAt: item.revision)
    case .new(let plan, _): writer.scope.insert(plan.id, text: text, format: plan.format, at: plan.path)
    }
    do {
      // The settings may have changed while the editor was open.
      try writer.reopen()
      try writer.finish()
    } catch {
      StandardError.report("\(draft.keptMessage)")
      throw error
    }
    // The policy decides what is saved, but the person's text is never lost.
    if let message = editing.finish(draft, keeping: writer.hasUnsaved) { StandardError.report(message) }
  }
}
