import DirectoryWatch
import PlainText

/// What a change comes to.
extension EditSession {
  /// With what only the data set as a whole can say.
  mutating func resolve(_ target: EditTarget, _ current: FileContent?) throws(EditError) -> EditDecision {
    if target.isNew { try checkFree(target) }
    let isItsFile = current.map { try? $0.fields.get() }.flatMap { $0 }.map { has(target.change.id, $0, target.path) } ?? true
    let decision = try resolver.resolve(target.change, at: target.path, as: target.format, isItsFile ? current : nil)
    if !isItsFile, case .write = decision.resolution {
      throw target.error(.exists, "Its file holds another item now.")
    }
    if case .write(let bytes, _) = decision.resolution { try checkID(bytes, target) }
    return decision
  }

  private func has(_ id: Item.ID, _ fields: PackedValue, _ path: RelativePath) -> Bool {
    guard !locator.idFields.isEmpty, let found = try? Item.ID(of: fields, at: path, by: locator.idFields) else { return true }
    return found == id
  }

  private mutating func checkFree(_ target: EditTarget) throws(EditError) {
    let id = target.change.id
    let others = try locator.idFields.isEmpty ? locator.existingFiles(of: id) : locator.claimants(of: id)
    if let other = others.first {
      throw EditError(.exists, id, other, "There is an item of this id already. Set its fields, or choose another id.")
    }
  }

  /// What is written has to keep the item an item, of an id that no other has: a new one, of the id that was asked for.
  private mutating func checkID(_ bytes: [UInt8], _ target: EditTarget) throws(EditError) {
    guard !locator.idFields.isEmpty, let fields = try? FileContent.fields(of: bytes, as: target.format, limits).get() else { return }
    let id: Item.ID
    do throws(Problem) {
      id = try Item.ID(of: fields, at: target.path, by: locator.idFields)
      if target.isNew, id != target.change.id {
        let names = locator.idFields.map(\.description).joined(separator: ", ")
        throw Problem(
          path: target.path, message: "Its fields (\(names)) make the id \(id), not \(target.change.id). Let both say the same.")
      }
    } catch {
      throw target.error(.invalidID, error.message)
    }
    if id != target.change.id, let other = locator.claimants(of: id).first(where: { $0 != target.path }) {
      throw target.error(.exists, "Its fields would make the id \(id), which is that of \(other). Choose another one.")
    }
  }

  func outcome(of decision: EditDecision, _ target: EditTarget, _ current: FileContent?) -> SaveOutcome {
    let result: SaveOutcome.Result =
      switch decision.resolution {
      case .write(_, let isMerged): current == nil ? .inserted : .updated(isMerged: isMerged)
      case .delete: .deleted
      case .nothing: decision.unsaved.isEmpty ? .unchanged : .discarded
      case .discard: .discarded
      }
    return SaveOutcome(id: target.change.id, path: target.path, result: result, unsaved: decision.unsaved)
  }

  mutating func note(_ resolution: EditResolution, _ target: EditTarget, _ current: FileContent?) {
    guard !locator.idFields.isEmpty else { return }
    switch resolution {
    case .write(let bytes, _):
      guard let stamp = try? locator.root.stamp(of: target.path),
        let fields = try? FileContent.fields(of: bytes, as: target.format, limits).get()
      else { return }
      locator.note(target.path, (stamp, fields))
    case .delete: locator.note(target.path, nil)
    case .nothing, .discard: break
    }
  }
}

extension EditResolution {
  /// What the file would hold; nil where it would be gone.
  func text(from current: FileContent?) -> [UInt8]? {
    switch self {
    case .write(let bytes, _): bytes
    case .delete: nil
    case .nothing, .discard: current?.bytes
    }
  }
}

/// One change, and where it goes.
struct EditTarget {
  let change: PendingChange
  let path: RelativePath
  let format: TextFormat

  var isNew: Bool { if case .insert = change.act { true } else { false } }

  func error(_ code: EditError.Code, _ message: String) -> EditError { EditError(code, change.id, path, message) }
}
