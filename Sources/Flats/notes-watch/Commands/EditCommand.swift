import ArgumentParser
import Store

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
    guard let editor = Editor(for: folder.folder, try folder.storeOptions().limits) else {
      throw Failure(.usage, "No editor is set. Set EDITOR, or VISUAL on a terminal.")
    }
    // Each item has its own writer, so that it is saved before the next one is opened.
    var failure: (any Error)?
    var known: Set<Item.ID> = []
    for name in try ItemWriter.named(ids, in: folder) {
      do {
        let id = try name.get()
        if known.insert(id).inserted { try edit(id, editor) }
      } catch {
        var error = error
        if let refused = error as? EditError { error = Failure(refused, in: folder.folder) }
        error = Failure.report(error)
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  private func edit(_ id: Item.ID, _ editor: Editor) throws {
    var writer = try ItemWriter(folder, writing, policy: merging.policy)
    let item: ItemFile
    do throws(EditError) {
      item = try writer.session.readText(id)
    } catch {
      if error.code == .notFound, TerminalPrompt.standard.isInteractive {
        return try add(id, editor, &writer)
      }
      writer.fail(error)
      if error.code == .notFound {
        StandardError.reportLine(
          "To add it, run: notes-watch add \(folder.folder.shellWord) \(id.description.shellWord)")
      }
      return try writer.finish()
    }
    try edit(item.bytes, at: item.path, as: item.format, editor, &writer) { scope, text in
      scope.replace(item.id, with: text, readAt: item.revision)
    }
  }

  private func add(_ id: Item.ID, _ editor: Editor, _ writer: inout ItemWriter) throws {
    guard TerminalPrompt.standard.confirm("There is no item `\(id)`. Add it?", default: false) else {
      throw ExitCode.noInput
    }
    let plan = try writer.session.newItems.plan(id.description) { $0 }
    let text = try writer.session.text(of: plan)
    try edit(text, at: plan.path, as: plan.format, editor, &writer) { scope, text in
      scope.insert(plan.id, text: text, format: plan.format, at: plan.path)
    }
  }

  private func edit(
    _ text: [UInt8], at path: RelativePath, as format: TextFormat, _ editor: Editor,
    _ writer: inout ItemWriter, _ change: (inout EditScope, [UInt8]) -> Void
  ) throws {
    guard let (text, draft) = try editor.edit(text, at: path, as: format) else {
      return try ItemWriter.printLine("unchanged \(path)")
    }
    change(&writer.scope, text)
    do {
      // The settings may have changed while the editor was open.
      try writer.session.reopen()
      try writer.finish()
    } catch {
      let error = Failure.report(error)
      StandardError.report(draft.keptMessage)
      throw error
    }
    // The policy decides what is saved, but the person's text is never lost.
    if let message = editor.finish(draft, keeping: writer.hasUnsaved) { StandardError.report(message) }
  }
}
