import SystemPackage

extension ItemStore {
  /// Reads the settings file as it is now. Blocks while it reads.
  ///
  /// - Throws: The `Problem` of a file that cannot be read, or is wrong.
  package func settingsFile() throws(Problem) -> SettingsFile {
    let folder: OpenFolder
    do throws(Errno) {
      folder = try OpenFolder(location)
    } catch {
      throw Problem(path: PathRules.settingsPath, action: "read", error)
    }
    return try SettingsFile.read(in: folder, limits: options.limits)
  }

  /// Reads the settings again if they are a problem: a list that could not show them may show something else
  /// now. Returns at once.
  package func readRefusedSettings() {
    guard currentState.problem(at: PathRules.settingsPath)?.settingsError != nil else { return }
    let messages = messages
    Task {
      await withCheckedContinuation {
        messages.send(.dirty(DirtyPaths(files: [PathRules.settingsPath]), following: nil, reply: $0))
      }
    }
  }

  /// Saves a view in the settings, if their file still is as it was read. The outcome can be undone as that of
  /// an item. Nothing but the view changes in the file; without one, it is created.
  ///
  /// - Throws: `EditError` with the code `conflict` if the file has changed, or another one if it cannot be
  ///   written. `StoreError` if the folder cannot be read, and the `Problem` of a file to which the view cannot
  ///   be added.
  package func saveView(_ view: ViewDefinition, as name: String, in file: SettingsFile) async throws
    -> SaveOutcome
  {
    let path = PathRules.settingsPath
    let id = Item.ID(path: path)
    if let fault = ItemStore.fault(ofViewNamed: name) { throw EditError(.invalid, id, path, fault) }
    let text = try file.text(saving: view, as: name, limits: options.limits)
    // Larger settings, for example, would be a problem.
    _ = try SettingsFile(text, limits: options.limits)
    var change = PendingChange(id: id, act: .insert(.text(text), .yaml, path))
    change.isOfSettings = true
    if let bytes = file.bytes {
      change.act = .replace(text)
      change.revision = ItemRevision(path: path, fields: PackedValue(.map([:])), bytes: bytes)
    }
    let report = try await saveEach(EditScope([change]), policy: .error)
    do throws(EditError) {
      return try report.single(id)
    } catch {
      guard [.conflict, .exists].contains(error.code) else { throw error }
      throw EditError(
        .conflict, id, path, "The settings were changed in the meantime, so the view was not saved.",
        advice: "Look at the view, and save it again.")
    }
  }

  private static let maxName = 100

  /// Returns what is wrong with a name for a view, and what to do; nil if the name is valid.
  private static func fault(ofViewNamed name: String) -> String? {
    if name.isEmpty { return "A view needs a name." }
    if name.unicodeScalars.count > maxName {
      return "The name has more than \(maxName) characters. Choose a shorter one."
    }
    let hasControls = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
    return hasControls ? "A name cannot contain control characters. Choose another one." : nil
  }
}

extension SettingsFile {
  /// Returns the text of the file with a view under a name. Of a view that is there, only the parts that
  /// differ are written; all other bytes stay as they are.
  ///
  /// - Throws: The `Problem` of a text that would be no settings, or cannot be edited.
  func text(saving view: ViewDefinition, as name: String, limits: ReadLimits) throws(Problem)
    -> [UInt8]
  {
    if let error = settings.viewErrors.first(where: { Settings.viewName(of: $0) == name }) {
      throw problem(error)
    }
    let text = ItemText(bytes ?? [], as: .yaml, limits: limits)
    let old = text.values ?? [:]
    var views = old["views"]?.fields ?? [:]
    // Names that look the same are the same, and the last one counts.
    let key = Array(views.keys).last { $0 == name } ?? name
    views[key] = .map(SettingsFile.fields(of: views[key]?.fields, showing: view))
    var new = old
    new["views"] = .map(views)
    do throws(TextEditError) {
      if text.values != nil { return try text.applying(TextEdit.edits(from: old, to: new)) }
      let own = try ItemText.new(new, as: .yaml, like: nil, limits).bytes
      let all = bytes.map { SettingsFile.endingInLine($0) + own } ?? own
      if (try? SettingsFile(all, limits: limits))?.settings.views[name] == view { return all }
    } catch {
      throw Problem(
        path: PathRules.settingsPath, line: error.line, column: error.column, message: error.message)
    }
    // Nothing can be added to a text that is no map, such as `null`.
    throw Problem(
      path: PathRules.settingsPath, message: "The view cannot be added to this text.",
      advice: "Write `views: {}` instead of it.")
  }

  /// Returns the written fields of a view, changed so that they make another view. Equal parts keep their
  /// spelling.
  private static func fields(of old: Fields?, showing view: ViewDefinition) -> Fields {
    guard var fields = old, let known = (try? ViewDefinition(fields))?.written else { return view.written }
    let written = view.written
    for key in ViewDefinition.keys where known[key] != written[key] {
      fields[key] = written[key]
      // The new fields say themselves where nulls are.
      if key == "sort" { fields["nulls"] = nil }
    }
    return fields
  }

  private static func endingInLine(_ bytes: [UInt8]) -> [UInt8] {
    bytes.isEmpty || bytes.last == UInt8(ascii: "\n") ? bytes : bytes + [UInt8(ascii: "\n")]
  }
}
