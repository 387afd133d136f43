import ArgumentParser
import Browse
import Files
import Glibc
import Store
import SystemPackage

/// Opens items in the person's editor, on the terminal that the screen has left.
struct ScreenEditing {
  private let folder: String
  private let options: StoreOptions

  /// The texts to save, and what else is to be said.
  struct Result: Sendable {
    /// The texts that were changed.
    var texts: [EditedText] = []
    /// The outcome for the other items; nil if nothing is to be said.
    var outcome: ActionOutcome?
  }

  /// Prepares to edit items of a folder.
  init(_ folder: String, _ options: StoreOptions) { (self.folder, self.options) = (folder, options) }

  /// Opens items one after the other. An item that cannot be edited ends it; the texts before it
  /// are saved nevertheless.
  func edit(_ items: [PaintedItem]) -> Result {
    guard let editor = Editor() else { return refused("No editor is set. Set VISUAL or EDITOR.") }
    var result = Result()
    do {
      let terminal = try Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY)
      // Keys that were typed while the list was hidden must not act on it.
      defer { tcflush(terminal.raw, TCIFLUSH) }
      try withExtendedLifetime(terminal) { try edit(items, editor, terminal: terminal.raw, &result) }
    } catch let error as Errno {
      return refused("The terminal cannot be opened: \(error.reason).")
    } catch {
      result.outcome = ActionOutcome(message(error), isFailure: true)
    }
    return result
  }

  private func refused(_ message: String) -> Result {
    Result(outcome: ActionOutcome(message, isFailure: true))
  }

  private func edit(_ items: [PaintedItem], _ editor: Editor, terminal: CInt, _ result: inout Result) throws {
    let prompt = TerminalPrompt(input: terminal, output: terminal)
    let store = try ItemEditor(root: folder, options: options)
    let editing = ItemEditing(editor, options.limits, folder, prompt, terminal: terminal)
    for item in items { try edit(item, editing, store, &result) }
  }

  private func edit(
    _ painted: PaintedItem, _ editing: ItemEditing, _ store: ItemEditor, _ result: inout Result
  ) throws {
    let id = painted.id.item
    // A list may show an item in several rows.
    if result.texts.contains(where: { $0.id == id }) { return }
    // Opened again for each item: the person may have changed the settings meanwhile.
    var session = try store.session()
    let item = try session.readText(id)
    switch try editing.edit(.old(item)) {
    case .unchanged: result.outcome = ActionOutcome("\(id) is unchanged.")
    case .changed(let text, let draft):
      result.texts.append(
        EditedText(id: id, text: text, revision: item.revision) { editing.finish(draft, keeping: $0) })
    }
  }

  private func message(_ error: any Error) -> String {
    guard let error = error as? EditError else { return "\(error)" }
    return FolderName(folder).description(of: error)
  }
}
