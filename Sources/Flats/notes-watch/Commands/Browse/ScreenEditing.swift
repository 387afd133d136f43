import ArgumentParser
import Browse
import Files
import Glibc
import PlainStore
import SystemPackage

/// Opens items in the person's editor, on the terminal that the screen has left.
struct ScreenEditing {
  private let folder: String
  private let options: StoreOptions
  /// True if the editor gets the standard streams where there is no terminal.
  private let needsNoTerminal: Bool

  /// The texts to save, and what else is to be said.
  struct Result: Sendable {
    /// The texts that were changed.
    var texts: [EditedText] = []
    /// What happened to the other items; nil if nothing is to be said.
    var outcome: ActionOutcome?
  }

  /// Prepares to edit items of a folder.
  ///
  /// - Parameter needsNoTerminal: True to give the editor the standard streams where there is no
  ///   terminal.
  init(_ folder: String, _ options: StoreOptions, needsNoTerminal: Bool = false) {
    (self.folder, self.options, self.needsNoTerminal) = (folder, options, needsNoTerminal)
  }

  /// Opens items one after the other. An item that cannot be edited ends it; the texts before it
  /// are saved nevertheless.
  func edit(_ items: [PaintedItem]) -> Result {
    var result = Result()
    do {
      guard let editor = Editor() else { throw EditingFailure(.failure, "No editor is set. Set VISUAL or EDITOR.") }
      if let terminal = try terminal() {
        // What was typed while the list was hidden must not act on it.
        defer { if !needsNoTerminal { tcflush(terminal.raw, TCIFLUSH) } }
        try withExtendedLifetime(terminal) { try edit(items, editor, terminal: terminal.raw, &result) }
      } else {
        try edit(items, editor, terminal: nil, &result)
      }
    } catch {
      result.outcome = ActionOutcome(message(error), isFailure: true)
    }
    return result
  }

  /// - Parameter terminal: The terminal of the editor; nil for the standard streams.
  private func edit(_ items: [PaintedItem], _ editor: Editor, terminal: CInt?, _ result: inout Result) throws {
    let prompt = terminal.map { Prompt(input: $0, output: $0) } ?? .standard
    let store = try ItemEditor(root: folder, options: options)
    let editing = ItemEditing(editor, options.limits, folder, prompt, terminal: terminal)
    for item in items { try edit(item, editing, store, &result) }
  }

  private func edit(_ painted: PaintedItem, _ editing: ItemEditing, _ store: ItemEditor, _ result: inout Result) throws {
    let id = painted.id.item
    // A list may show an item in several rows.
    if result.texts.contains(where: { $0.id == id }) { return }
    // Opened again for each item: the person may have changed the settings meanwhile.
    var session = try store.session()
    let item = try session.readText(id)
    switch try editing.edit(.old(item)) {
    case .unchanged: result.outcome = ActionOutcome("\(id) is unchanged.")
    case .changed(let text, let draft):
      result.texts.append(EditedText(id: id, text: text, revision: item.revision) { editing.finish(draft, keeping: $0) })
    }
  }

  /// Opens the terminal; nil if there is none and none is needed.
  private func terminal() throws -> Descriptor? {
    do throws(Errno) {
      return try Descriptor.open("/dev/tty", O_RDWR | O_NOCTTY)
    } catch {
      if needsNoTerminal { return nil }
      throw EditingFailure(.failure, "The terminal cannot be opened: \(error.reason).")
    }
  }

  private func message(_ error: any Error) -> String {
    guard let error = error as? EditError else { return "\(error)" }
    return FolderName(folder).description(of: error)
  }
}
