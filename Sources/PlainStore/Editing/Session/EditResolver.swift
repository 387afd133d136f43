import DirectoryWatch
import PlainText

/// What is to be done to a file.
enum EditResolution: Sendable, Hashable {
  case write([UInt8], isMerged: Bool)
  case delete
  /// The file is as it is to be.
  case nothing
  /// The policy lets the others have it.
  case discard
}

/// What is to be done to a file, and what of the change that leaves out.
struct EditDecision: Sendable, Hashable {
  let resolution: EditResolution
  var unsaved = UnsavedChanges()
}

/// Decides what a change comes to, given what its file holds now. Pure.
struct EditResolver: Sendable {
  var policy = MergePolicy.error
  /// Of what both sides changed.
  var rules = MergeRules()
  var limits = ReadLimits()

  /// - Parameter current: nil where there is no file.
  func resolve(
    _ change: PendingChange, at path: RelativePath, as format: TextFormat, _ current: FileContent?
  ) throws(EditError) -> EditDecision {
    do throws(Refusal) {
      let sides = Sides(change: change, path: path, format: format, current: current)
      let resolution =
        switch change.act {
        case .insert(let content, _, _): try insert(content, sides)
        case .update: try update(sides)
        case .replace(let text): try replace(text, sides)
        case .delete: try delete(sides)
        }
      let checked = try check(resolution, sides)
      return EditDecision(resolution: checked, unsaved: unsaved(checked, of: sides))
    } catch {
      throw error.error(change.id, path)
    }
  }

  /// One change, and what it meets.
  struct Sides {
    let change: PendingChange
    let path: RelativePath
    let format: TextFormat
    let current: FileContent?
  }

  /// Of several kinds, so that each can be thrown where it is found.
  private enum Refusal: Error {
    case edit(TextEditError)
    case text(TextError)
    case other(EditError.Code, String)

    func error(_ id: Item.ID, _ path: RelativePath) -> EditError {
      switch self {
      case .edit(let error): EditError(id, path, error)
      case .text(let error): EditError(id, path, error)
      case .other(let code, let message): EditError(code, id, path, message)
      }
    }
  }

  /// What is written has to be an item that can be read.
  private func check(_ resolution: EditResolution, _ sides: Sides) throws(Refusal) -> EditResolution {
    guard case .write(let bytes, _) = resolution else { return resolution }
    if bytes == sides.current?.bytes { return .nothing }
    do throws(TextError) {
      _ = try FileContent.fields(of: bytes, as: sides.format, limits).get()
    } catch {
      throw .text(error)
    }
    return resolution
  }

  // MARK: Inserts and deletes

  private func insert(_ content: PendingChange.NewContent, _ sides: Sides) throws(Refusal) -> EditResolution {
    if sides.current != nil { throw .other(.exists, "There is an item of this id already. Set its fields, or choose another id.") }
    let text =
      switch content {
      case .text(let text): text
      case .fields(let fields):
        try refusing { () throws(TextEditError) in try NewItemText.bytes(of: fields, as: sides.format, limits) }
      }
    return .write(try apply(sides.change.edits, to: text, sides), isMerged: false)
  }

  private func delete(_ sides: Sides) throws(Refusal) -> EditResolution {
    guard let current = sides.current else {
      if sides.change.revision == nil { throw EditResolver.missing }
      return .nothing
    }
    guard let revision = sides.change.revision, !revision.isText(of: current) else { return .delete }
    switch policy {
    case .error: throw .other(.conflict, "It was changed since it was read, so it was not deleted. \(EditResolver.advice)")
    case .mergeByPropertyStoreTrump, .rollback: return .discard
    case .mergeByPropertyObjectTrump, .overwrite: return .delete
    }
  }

  private static let missing = Refusal.other(.notFound, "There is no item of this id.")
  private static let advice = "Read it again and decide, or choose a merge policy."

  // MARK: Updates

  private func update(_ sides: Sides) throws(Refusal) -> EditResolution {
    let edits = sides.change.edits
    guard let current = sides.current else { return try updateDeleted(sides) }
    let theirs = try fields(of: current)
    guard let revision = sides.change.revision, let base = revision.fields.value.fields, base != theirs else {
      return .write(try apply(edits, to: current.bytes, sides), isMerged: false)
    }
    if policy == .rollback { return .discard }
    if policy == .error { throw .other(.conflict, conflict(base, theirs)) }
    let ours = try refusing { () throws(TextEditError) in try base.applying(edits) }
    let wanted = policy == .overwrite ? ours : try merged(base, ours, theirs)
    return .write(try apply(TextEdit.edits(from: theirs, to: wanted), to: current.bytes, sides), isMerged: policy != .overwrite)
  }

  /// The file is gone.
  private func updateDeleted(_ sides: Sides) throws(Refusal) -> EditResolution {
    guard let revision = sides.change.revision else { throw EditResolver.missing }
    switch policy {
    case .error: throw .other(.conflict, "It was deleted since it was read. \(EditResolver.advice)")
    case .mergeByPropertyStoreTrump, .rollback: return .discard
    case .mergeByPropertyObjectTrump, .overwrite: break
    }
    if case .replace(let text) = sides.change.act { return .write(try apply(sides.change.edits, to: text, sides), isMerged: false) }
    let old = try refusing { () throws(TextEditError) in
      if let bytes = revision.bytes { return bytes }
      return try NewItemText.bytes(of: revision.fields.value.fields ?? [:], as: sides.format, limits)
    }
    return .write(try apply(sides.change.edits, to: old, sides), isMerged: false)
  }

  private func replace(_ text: [UInt8], _ sides: Sides) throws(Refusal) -> EditResolution {
    let text = try apply(sides.change.edits, to: text, sides)
    guard let current = sides.current else { return try updateDeleted(sides) }
    guard let revision = sides.change.revision, !revision.isText(of: current), text != current.bytes else {
      return .write(text, isMerged: false)
    }
    switch policy {
    case .overwrite: return .write(text, isMerged: false)
    case .rollback: return .discard
    case .error:
      let theirs = (try? current.fields.get())?.value.fields ?? [:]
      throw .other(.conflict, conflict(revision.fields.value.fields ?? [:], theirs))
    case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump: break
    }
    guard let base = revision.bytes else { return try mergeReplaced(text, current, revision, sides, resolved: nil) }
    let merge = TextMerge(base: base, ours: text, theirs: current.bytes, as: sides.format, rules: rules, limits: limits)
    if !merge.isConflicted { return .write(merge.bytes, isMerged: true) }
    let resolved = policy == .mergeByPropertyObjectTrump ? merge.resolved.ours : merge.resolved.theirs
    return try mergeReplaced(text, current, revision, sides, resolved: resolved)
  }

  /// Merges field by field. `resolved` is a text in which the conflicts are resolved for the side that
  /// wins; if it does not read as the merged fields, these are written onto the text of that side.
  private func mergeReplaced(
    _ text: [UInt8], _ current: FileContent, _ revision: ItemRevision, _ sides: Sides, resolved: [UInt8]?
  ) throws(Refusal) -> EditResolution {
    let theirs = try fields(of: current)
    let ours = try fields(of: FileContent(text, current.stamp, as: sides.format, limits))
    let wanted = try merged(revision.fields.value.fields ?? [:], ours, theirs)
    if let resolved, (try? FileContent.fields(of: resolved, as: sides.format, limits).get())?.value.fields == wanted {
      return .write(resolved, isMerged: true)
    }
    let isOurs = policy == .mergeByPropertyObjectTrump
    let (start, bytes) = isOurs ? (ours, text) : (theirs, current.bytes)
    return .write(try apply(TextEdit.edits(from: start, to: wanted), to: bytes, sides), isMerged: true)
  }

  // MARK: Parts

  private func merged(_ base: Fields, _ ours: Fields, _ theirs: Fields) throws(Refusal) -> Fields {
    let storeWins = policy == .mergeByPropertyStoreTrump
    let merge = ValueMerge(
      base: .map(base), ours: .map(storeWins ? theirs : ours), theirs: .map(storeWins ? ours : theirs),
      rules: storeWins ? rules.swapped : rules)
    return merge.value?.fields ?? theirs
  }

  private func conflict(_ base: Fields, _ theirs: Fields) -> String {
    let names = FieldChanges(from: base, to: theirs).pointers
    let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
    return "It was changed since it was read\(names.isEmpty ? "" : " (\(shown))"). \(EditResolver.advice)"
  }

  private func fields(of content: FileContent) throws(Refusal) -> Fields {
    do throws(TextError) {
      return try content.fields.get().value.fields ?? [:]
    } catch {
      throw .text(error)
    }
  }

  private func apply(_ edits: [TextEdit], to bytes: [UInt8], _ sides: Sides) throws(Refusal) -> [UInt8] {
    try refusing { () throws(TextEditError) in try ItemText(bytes, as: sides.format, limits: limits).applying(edits) }
  }

  private func refusing<Answer>(_ body: () throws(TextEditError) -> Answer) throws(Refusal) -> Answer {
    do throws(TextEditError) {
      return try body()
    } catch {
      throw .edit(error)
    }
  }
}
