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

  /// - Parameter terminal: The terminal for the editor; nil for the standard streams of this program.
  init(
    _ editor: Editor, _ limits: ReadLimits, _ folder: String, _ prompt: TerminalPrompt, terminal: CInt? = nil
  ) {
    (self.editor, self.limits, self.folder, self.prompt, self.terminal) = (
      editor, limits, FolderName(folder), prompt, terminal
    )
  }

  /// Returns the text once it is valid, and its draft, which is kept until `finish(_:keeping:)`; nil if the
  /// text stayed the same.
  func edit(_ old: [UInt8], at path: RelativePath, as format: TextFormat) throws(Failure)
    -> (text: [UInt8], draft: EditorDraft)?
  {
    // The printed form of a name may be too long for a file system.
    let name = String(path.name)
    let draft = try EditorDraft(
      old, named: name.utf8.count <= 100 ? name : "item.\(format.pathExtensions[0])")
    while true {
      let failure = editor.run(on: draft.path, terminal: terminal)
      let text = try read(draft)
      if let failure {
        let rest = text == old ? "" : " \(draft.keptMessage)"
        if text == old { draft.remove() }
        throw Failure(.failure, "The editor \(failure). Nothing was saved.\(rest)")
      }
      if text == old {
        try checkIsClosed(draft)
        draft.remove()
        return nil
      }
      guard let problem = problem(with: text, as: format) else { return (text, draft) }
      let file = folder.path(of: path)
      let mistake = "\(file):\(problem)"
      if prompt.isInteractive {
        prompt.writeLine("notes-watch: \(mistake)")
        if prompt.confirm("Edit it again?", default: true) { continue }
        throw Failure(.badData, "\(file) was not changed. \(draft.keptMessage)")
      }
      // Where nobody can be asked, the mistake in the text precedes the message.
      throw Failure(
        .badData,
        "\(DisplayText.safe(mistake))\nnotes-watch: \(file) was not changed. \(draft.keptMessage)")
    }
  }

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
    if isKept || editor.signOfUse(of: draft) != nil { return draft.keptMessage }
    draft.remove()
    return nil
  }

  private func checkIsClosed(_ draft: EditorDraft) throws(Failure) {
    guard let sign = editor.signOfUse(of: draft) else { return }
    let reason = "The editor returned without a change and may still be open. \(sign) Nothing was saved."
    throw Failure(.tryAgain, "\(reason) \(draft.keptMessage) \(editor.advice)")
  }

  /// Reads what the editor left. It may have removed the file, or created other files beside it.
  private func read(_ draft: EditorDraft) throws(Failure) -> [UInt8] {
    do throws(Failure) {
      return try InputFile.read(draft.path, upTo: limits.maxSize)
    } catch {
      let rest = draft.removeEmpty() ? "" : " The editor's files are kept in \(draft.folder)."
      throw Failure(.cannotCreate, "\(error) Nothing was saved.\(rest)")
    }
  }
}
