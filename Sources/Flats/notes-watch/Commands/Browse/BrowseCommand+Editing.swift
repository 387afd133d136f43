import Browse
import Glibc
import Store
import SystemPackage

struct EditedTexts {
  /// The new texts, each based on the state with which the editor began.
  var scope = EditScope()
  /// For each item, what removes its draft. If it is to be kept, the result says where it is.
  var drafts: [(id: Item.ID, finish: @Sendable (_ isKept: Bool) -> String?)] = []
  var outcome: ActionOutcome?

  static func refused(_ message: String) -> EditedTexts {
    EditedTexts(outcome: ActionOutcome(message, isFailure: true))
  }
}

extension BrowseCommand {
  /// - Parameter edited: The results of the editor, in the order of their actions.
  static func actions(
    of store: ItemStore, limits: ReadLimits, saving edited: AsyncStream<EditedTexts>
  ) -> @Sendable (ItemAction) async -> ActionOutcome {
    let actions = StoreActions(store) { words, fields in
      try [Assignment](words: words).resolved(limits).edits(of: fields)
    }
    return { action in
      guard case .edit = action else { return await actions.perform(action) }
      for await texts in edited { return await save(texts, actions) }
      return ActionOutcome("Nothing was edited.")
    }
  }

  /// Saves one step that can be undone. What is to be said about the other items comes after it.
  private static func save(_ texts: EditedTexts, _ actions: StoreActions) async -> ActionOutcome {
    guard !texts.drafts.isEmpty else {
      return actions.addingNextSteps(to: texts.outcome ?? ActionOutcome("Nothing was edited."))
    }
    var outcome = await actions.save(texts.scope, as: .save)
    let refused = Set(outcome.refused)
    for draft in texts.drafts {
      // Without a list of those that were refused, nothing was saved.
      let isKept = outcome.isFailure && (refused.isEmpty || refused.contains(draft.id))
      if let message = draft.finish(isKept) { outcome.message += " \(message)" }
    }
    if let rest = texts.outcome {
      outcome.message += " \(rest.message)"
      outcome.isFailure = outcome.isFailure || rest.isFailure
    }
    return outcome
  }

  /// Opens the file of a problem itself: it need not belong to an item, and the person may leave a part of it
  /// broken. Returns why it was not opened; nil if it was.
  func open(_ problem: Problem, _ options: StoreOptions) -> String? {
    guard let editor = Editor(for: folder.folder, options.limits) else {
      return "No editor is set. Set VISUAL or EDITOR."
    }
    let path = ChoiceOptions.path(of: problem.path, in: folder.folder)
    // A name such as `!command` is more than a name to some editors.
    let isName = path.elementsEqual(problem.path.bytes)
    guard let file = String(validating: (isName ? Array("./".utf8) : []) + path, as: UTF8.self) else {
      return "The name of \(problem.path) is not UTF-8, so it cannot be given to the editor."
    }
    do {
      guard try OpenFolder(folder.folder).openFile(problem.path) != nil else {
        return "\(problem.path) is gone."
      }
      try withTerminal { try editor.open(file, at: max(problem.line, 1), on: $0) }
      return nil
    } catch {
      return (error as? Problem).map { "\(problem.path): \($0.message)" } ?? "\(error)"
    }
  }

  private func withTerminal(_ body: (CInt) throws -> Void) throws {
    do {
      let terminal = try Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY)
      // Keys that were typed while the list was hidden must not act on it.
      defer { tcflush(terminal.raw, TCIFLUSH) }
      try withExtendedLifetime(terminal) { try body(terminal.raw) }
    } catch let error as Errno {
      throw Failure(.unavailable, "The terminal cannot be opened: \(error.reason).")
    }
  }

  /// Stops at an item that cannot be edited; the texts before it are saved nevertheless.
  func edit(_ items: [PaintedItem], _ options: StoreOptions) -> EditedTexts {
    guard let editor = Editor(for: folder.folder, options.limits) else {
      return .refused("No editor is set. Set VISUAL or EDITOR.")
    }
    var texts = EditedTexts()
    do {
      try withTerminal {
        try edit(items, editor, on: $0, ItemEditor(root: folder.folder, options: options), &texts)
      }
    } catch {
      let message = (error as? EditError).map { FolderName(folder.folder).description(of: $0) } ?? "\(error)"
      texts.outcome = ActionOutcome(message, isFailure: true)
    }
    return texts
  }

  private func edit(
    _ items: [PaintedItem], _ editor: Editor, on terminal: CInt, _ store: ItemEditor,
    _ texts: inout EditedTexts
  ) throws {
    // A list may show an item in several rows.
    var changed: Set<Item.ID> = []
    for id in items.map(\.id.item) where !changed.contains(id) {
      // Opened again for each item: the person may have changed the settings meanwhile.
      var session = try store.session()
      let item = try session.readText(id)
      guard let (text, draft) = try editor.edit(item.bytes, at: item.path, as: item.format, on: terminal)
      else {
        texts.outcome = ActionOutcome("\(id) is unchanged.")
        continue
      }
      changed.insert(id)
      texts.scope.replace(id, with: text, readAt: item.revision)
      texts.drafts.append((id, { editor.finish(draft, keeping: $0) }))
    }
  }
}
