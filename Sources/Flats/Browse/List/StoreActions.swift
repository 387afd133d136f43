import Printing
package import Store
import Synchronization
import Survey

/// Performs actions through a store: each one is a save, after which every list shows it, and a
/// step that can be undone and redone.
///
/// A change is made only if the item still is what was painted. An undo or redo is made only if the
/// file still has the bytes that the step left. Otherwise it is refused with the difference.
///
/// Actions are performed one after the other, as `ListFollower` does.
package final class StoreActions: Sendable {
  private let store: ItemStore
  private let parse: FieldWordParser
  /// Lock: guards the actions of this run that can be undone, and the states that they left.
  private let past = Mutex((stack: UndoStack(), own: OwnRevisions()))

  package init(_ store: ItemStore, parsing parse: @escaping FieldWordParser) {
    self.store = store
    self.parse = parse
  }

  /// Adds to an outcome what the next undo and redo take back.
  package func addingNextSteps(to outcome: ActionOutcome) -> ActionOutcome {
    var outcome = outcome
    (outcome.nextUndo, outcome.nextRedo) = past.withLock { ($0.stack.next(.undo), $0.stack.next(.redo)) }
    return outcome
  }

  /// Performs an action. The program runs the editor itself and calls `save`.
  @Sendable package func perform(_ action: ItemAction) async -> ActionOutcome {
    switch action {
    case .edit: ActionOutcome("This list has no editor.", isFailure: true)
    case .delete(let items): await delete(items)
    case .assign(let items, let words): await assign(words, to: items)
    case .add(let id, let words): await add(id, words)
    case .saveView(let name, let view, let settings): await save(view, as: name, seeing: settings)
    case .undo: await takeBack(.undo)
    case .redo: await takeBack(.redo)
    }
  }

  /// Saves the changes of a scope as one step of the undo stack.
  package func save(_ scope: EditScope, as kind: ActionKind) async -> ActionOutcome {
    do throws(StoreError) {
      return record(try await store.saveEach(scope, policy: .error).outcomes, as: kind)
    } catch {
      return refusal("\(error)")
    }
  }

  private func record(_ outcomes: [SaveOutcome], as kind: ActionKind) -> ActionOutcome {
    let changed = outcomes.filter { $0.error == nil && $0.result != .unchanged }
    past.withLock { $0.stack.push("\(kind.words.noun) of \(changed.map(\.id).inWords)", outcomes) }
    var outcome = outcome(kind.words.past, kind.rawValue, outcomes)
    outcome.changed = changed.map(\.id)
    outcome.refused = outcomes.filter { $0.error != nil }.map(\.id)
    if kind == .add { outcome.focus = changed.first?.id }
    return outcome
  }

  private func delete(_ items: [PaintedItem]) async -> ActionOutcome {
    var scope = EditScope()
    for item in distinct(items) { scope.delete(item.id, readAt: current(item, store.item(item.id))) }
    return await save(scope, as: .delete)
  }

  private func assign(_ words: [String], to items: [PaintedItem]) async -> ActionOutcome {
    var scope = EditScope()
    let survey = store.fieldSurvey()
    var doubts: [FieldDoubt] = []
    var changes: [(item: PaintedItem, before: Item?, after: Fields?)] = []
    for item in distinct(items) {
      let newest = store.item(item.id)
      let fields = newest?.ownFields ?? Fields()
      do {
        let edits = try parse(words, fields)
        if edits.isEmpty { continue }
        doubts += survey.doubts(about: edits, of: item.id, holding: fields)
        scope.update(item.id, edits, readAt: current(item, newest))
        changes.append((item, newest, try? fields.applying(edits)))
      } catch {
        return refusal("\(item.id): \(error)")
      }
    }
    if !scope.hasChanges { return outcome("There is nothing to change.", isFailure: false) }
    let outcome = warned(await save(scope, as: .change), doubts)
    // Without a list of those that were refused, nothing was saved.
    if outcome.isFailure, outcome.refused.isEmpty { return outcome }
    let refused = Set(outcome.refused)
    for change in changes where !refused.contains(change.item.id) {
      past.withLock { $0.own.record(change.item, from: change.before, to: change.after) }
    }
    return outcome
  }

  private func add(_ name: String, _ words: [String]) async -> ActionOutcome {
    if name.isEmpty { return refusal("A new item needs an id.") }
    let id = Item.ID(printed: name)
    var scope = store.makeEditScope()
    scope.insert(id, fields: Fields())
    let defaults = scope.item(id)?.ownFields ?? Fields()
    var fields = Fields()
    let doubts: [FieldDoubt]
    do {
      let edits = try parse(words, defaults)
      doubts = store.fieldSurvey().doubts(about: edits, of: id)
      // The defaults themselves are set when the item is saved.
      for (key, value) in try defaults.applying(edits) where defaults[key] != value { fields[key] = value }
    } catch {
      var refused = refusal("\(id): \(error)")
      refused.word = words.first { (try? parse([$0], defaults)) == nil }
      return refused
    }
    scope.rollback()
    // JSON and the text of a file stay as they are.
    if words.contains(where: { $0.hasPrefix("body=") }) {
      scope.insert(id, typed: fields)
    } else {
      scope.insert(id, fields: fields)
    }
    return warned(await save(scope, as: .add), doubts)
  }

  private func save(_ view: ViewDefinition, as name: String, seeing settings: Settings) async -> ActionOutcome
  {
    do {
      let file = try store.settingsFile()
      // A broken view stays in force as it was before.
      guard file.settings.keepingViews(of: settings) == settings else {
        return refusal("The settings were changed in the meantime. Look at the list, and save it again.")
      }
      let saved = try await store.saveView(view, as: name, in: file)
      past.withLock { $0.stack.push("the view \(name)", [saved]) }
      let warnings = saved.warnings.map { " \($0)" }.joined()
      let isNew = saved.result != .unchanged
      return outcome(
        DisplayText.safe("\(isNew ? "Saved the view" : "Nothing changed in the view") \(name).\(warnings)"),
        isFailure: false)
    } catch {
      return refusal("\(error)")
    }
  }

  /// Makes each change only if the file is as the step left it; what is refused stays the next step.
  private func takeBack(_ direction: UndoDirection) async -> ActionOutcome {
    guard let step = past.withLock({ $0.stack.pop(direction) }) else {
      return refusal("There is nothing to \(direction.rawValue).")
    }
    let report: SaveReport
    do throws(StoreError) {
      report = try await store.saveEach(EditScope(undoing: step.outcomes))
    } catch {
      past.withLock { $0.stack.conclude(step.title, direction, rest: step.outcomes, made: []) }
      return refusal("\(error)")
    }
    // The report has the changes in the opposite order.
    let rest = zip(step.outcomes.reversed(), report.outcomes).filter { $0.1.error != nil }.map(\.0)
    let made = report.outcomes.filter { $0.error == nil }
    past.withLock { $0.stack.conclude(step.title, direction, rest: rest.reversed(), made: made) }
    var outcome =
      report.failures.isEmpty
      ? outcome("\(direction.past) \(step.title).", isFailure: false)
      : outcome(direction.past, direction.rawValue, report.outcomes)
    outcome.changed = made.map(\.id)
    outcome.focus = report.outcomes.last { $0.result == .inserted }?.id
    return outcome
  }

  private func warned(_ outcome: ActionOutcome, _ doubts: [FieldDoubt]) -> ActionOutcome {
    var outcome = outcome
    var known: Set<FieldPath> = []
    for doubt in doubts.prefix(1_000) where !outcome.isFailure && known.insert(doubt.path).inserted {
      let sentence = "\(doubt)"
      outcome.message += DisplayText.safe(" \(sentence.prefix(1).uppercased())\(sentence.dropFirst())")
    }
    return outcome
  }

  /// Returns each item once: a list may show an item in several rows.
  private func distinct(_ items: [PaintedItem]) -> [PaintedItem] {
    var known: Set<Item.ID> = []
    return items.filter { known.insert($0.id.item).inserted }.map { PaintedItem($0.id.item, $0.revision) }
  }

  /// The newest reading of an item if it has the painted values, or those that the person's own actions made
  /// of them. A file that was only touched is still the item that the person saw.
  private func current(_ item: PaintedItem, _ newest: Item?) -> ItemRevision {
    guard let newest else { return item.revision }
    if newest.revision.hasSameValues(as: item.revision) { return newest.revision }
    return past.withLock { $0.own.leads(from: item, to: newest) } ? newest.revision : item.revision
  }

  /// The largest texts that are compared after a refusal, in bytes, of all items together.
  private static let maxComparedSize = 4 << 20

  private func refusal(_ reason: String) -> ActionOutcome {
    outcome(DisplayText.safe(reason), isFailure: true)
  }

  private func outcome(_ message: String, isFailure: Bool, difference: [UInt8]? = nil) -> ActionOutcome {
    addingNextSteps(to: ActionOutcome(message, isFailure: isFailure, difference: difference))
  }

  private func outcome(_ past: String, _ infinitive: String, _ outcomes: [SaveOutcome]) -> ActionOutcome {
    let errors = outcomes.compactMap(\.error)
    let changed = outcomes.filter { $0.error == nil && $0.result != .unchanged }
    let warnings = outcomes.flatMap(\.warnings)
    var sentences: [String] = []
    if let first = errors.first {
      if outcomes.count > 1 { sentences.append("\(past) \(changed.count) of \(outcomes.count) items.") }
      sentences.append("Could not \(infinitive) \(StoreActions.reason(first))")
      if errors.count > 1 { sentences.append("\(errors.count - 1) more could not be changed.") }
    } else if changed.isEmpty {
      sentences.append("\(outcomes.map(\.id).inWords): nothing to change.")
    } else {
      sentences.append("\(past) \(changed.map(\.id).inWords).")
    }
    return outcome(
      DisplayText.safe((sentences + warnings).joined(separator: " ")), isFailure: !errors.isEmpty,
      difference: StoreActions.difference(of: errors))
  }

  /// The rest of a sentence. A conflict's advice is about commands; a screen shows the difference instead.
  private static func reason(_ error: EditError) -> String {
    guard error.code == .conflict, let conflict = error.conflict, conflict.expected != nil,
      let path = error.path
    else { return "\(error)" }
    return "\(path): It was \(conflict.found == nil ? "deleted" : "changed") in the meantime."
  }

  /// Compares what was expected with what was found, as unified diffs; nil if there are none.
  private static func difference(of errors: [EditError]) -> [UInt8]? {
    var size = 0
    var text: [UInt8] = []
    for error in errors {
      guard let conflict = error.conflict else { continue }
      size += (conflict.expected?.count ?? 0) + (conflict.found?.count ?? 0)
      if size > StoreActions.maxComparedSize { break }
      let path = error.path?.bytes ?? Array(error.id.description.utf8)
      text += UnifiedDiff(of: path, from: conflict.expected, to: conflict.found).bytes
    }
    return text.isEmpty ? nil : text
  }
}

extension Item {
  var ownFields: Fields {
    guard case .map(let fields) = fields.value else { return Fields() }
    return fields
  }
}

/// The values that actions of this run gave to the painted items. If somebody sets two fields in a row, the
/// second one applies to the item with the first change, even before that is drawn, and even for a selected
/// row that isn't on the screen.
struct OwnRevisions {
  private static let maxSteps = 16

  /// Unbroken, oldest first: the state painted when the action was asked for, and the fields it left.
  private var steps: [Item.ID: [(painted: ItemRevision, made: Fields)]] = [:]

  /// Records a change from the version on which it was based to the fields it left; nil if they are unknown.
  mutating func record(_ painted: PaintedItem, from before: Item?, to after: Fields?) {
    let old = steps.removeValue(forKey: painted.id) ?? []
    guard let before, let after else { return }
    // A state that own actions did not make begins a new chain.
    let earlier = old.contains { $0.made == before.ownFields } ? old : []
    steps[painted.id] = (earlier + [(painted.revision, after)]).suffix(OwnRevisions.maxSteps)
  }

  /// True if own actions alone made a state of the painted one, or an undo returned to such a state.
  func leads(from painted: PaintedItem, to newest: Item) -> Bool {
    guard newest.path == painted.revision.path, let steps = steps[painted.id] else { return false }
    guard let start = steps.firstIndex(where: { $0.painted.hasSameValues(as: painted.revision) }) else {
      return false
    }
    return steps[start...].contains { $0.made == newest.ownFields }
  }
}
