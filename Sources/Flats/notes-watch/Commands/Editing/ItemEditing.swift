import ArgumentParser
import Files
import Store
import Values

/// The steps of editing an item in the person's editor, up to the text that is to be saved.
struct ItemEditing {
  private let editor: Editor
  private let limits: ReadLimits
  private let folder: FolderName
  private let prompt: TerminalPrompt
  private let terminal: CInt?

  /// The outcome of editing a text.
  enum Result {
    /// The text stayed the same. Nothing is left of the draft.
    case unchanged
    /// The text is valid and was changed. The draft is kept until `finish(_:keeping:)`.
    case changed([UInt8], EditorDraft)
  }

  /// Prepares to edit items of a folder.
  ///
  /// - Parameters:
  ///   - limits: The limits for the text of an item.
  ///   - folder: The folder as the person typed it.
  ///   - prompt: Asks what to do with a text that is not valid.
  ///   - terminal: The terminal for the editor; nil for the standard streams of this program.
  init(
    _ editor: Editor, _ limits: ReadLimits, _ folder: String, _ prompt: TerminalPrompt, terminal: CInt? = nil
  ) {
    (self.editor, self.limits, self.folder, self.prompt, self.terminal) = (
      editor, limits, FolderName(folder), prompt, terminal
    )
  }

  /// Runs the editor until the text is valid.
  func edit(_ item: EditedItem) throws(Failure) -> Result {
    let draft = try EditorDraft(item.text, named: item.fileName)
    while true {
      let failure = editor.run(on: draft.path, terminal: terminal)
      let text = try read(draft)
      if let failure {
        let rest = text == item.text ? "" : " \(draft.keptMessage)"
        if text == item.text { draft.remove() }
        throw Failure(.failure, "The editor \(failure). Nothing was saved.\(rest)")
      }
      if text == item.text {
        try checkIsClosed(draft)
        draft.remove()
        return .unchanged
      }
      guard let problem = problem(with: text, as: item.format) else { return .changed(text, draft) }
      let path = folder.path(of: item.path)
      let mistake = "\(path):\(problem)"
      if prompt.isInteractive {
        prompt.writeLine("notes-watch: \(mistake)")
        if prompt.confirm("Edit it again?", default: true) { continue }
        throw Failure(.badData, "\(path) was not changed. \(draft.keptMessage)")
      }
      // Where nobody can be asked, the mistake in the text precedes the message.
      throw Failure(
        .badData,
        "\(DisplayText.safe(mistake))\nnotes-watch: \(path) was not changed. \(draft.keptMessage)")
    }
  }

  /// Returns the reason why a text cannot be read as an item of this format; nil if it can.
  private func problem(with text: [UInt8], as format: TextFormat) -> TextError? {
    do throws(TextError) {
      _ = try ItemText(text, as: format, limits: limits).fields.get()
      return nil
    } catch {
      return error
    }
  }

  /// Removes the draft of a text that was saved.
  ///
  /// - Parameter isKept: True if not all of the text was saved.
  /// - Returns: A sentence that says where the draft is, if it is kept.
  func finish(_ draft: EditorDraft, keeping isKept: Bool) -> String? {
    if isKept || DetachedEditor(command: editor.command).sign(on: draft) != nil { return draft.keptMessage }
    draft.remove()
    return nil
  }

  /// - Throws: A failure if the editor returned and may still be open.
  private func checkIsClosed(_ draft: EditorDraft) throws(Failure) {
    let detached = DetachedEditor(command: editor.command)
    guard let sign = detached.sign(on: draft) else { return }
    let reason = "The editor returned without a change and may still be open. \(sign) Nothing was saved."
    throw Failure(.tryAgain, "\(reason) \(draft.keptMessage) \(detached.advice)")
  }

  /// Reads what the editor left. It may have removed the file, or created other files beside it.
  private func read(_ draft: EditorDraft) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try draft.read(upTo: limits.maxSize)
    } catch {
      let rest = draft.removeEmpty() ? "" : " The editor's files are kept in \(draft.folder)."
      throw Failure(.cannotCreate, "\(error) Nothing was saved.\(rest)")
    }
  }
}

/// The item that the editor opens.
enum EditedItem {
  /// An item as its file is now.
  case old(ItemFile)
  /// A new item, and the text with which it begins.
  case new(NewItems.Plan, [UInt8])

  /// The text with which the editor begins.
  var text: [UInt8] {
    switch self {
    case .old(let item): item.bytes
    case .new(_, let text): text
    }
  }

  /// The path of the item's file, relative to the root.
  var path: RelativePath {
    switch self {
    case .old(let item): item.path
    case .new(let plan, _): plan.path
    }
  }

  /// The format of the text.
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
