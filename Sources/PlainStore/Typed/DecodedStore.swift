import DirectoryWatch
import HashTreeCollections
import Synchronization

/// A store as a list of models sees it: an item that does not decode is a problem and keeps its last good model, as a file that cannot be read keeps its last good item.
///
/// Decoding runs code of the caller's; so no lock but this one is held while it does, and only the store's own task takes it.
final class DecodedStore: Sendable {
  private let decoder: ModelDecoder
  private let contents: Mutex<DecodedContents>

  init(_ state: StoreState, _ decoder: ModelDecoder) {
    self.decoder = decoder
    var contents = DecodedContents(emptied: state)
    _ = contents.take(StoreStep(state: state, changes: StoreChanges(from: contents.state, to: state), origin: .files), decoder)
    self.contents = Mutex(contents)
  }

  var state: StoreState { contents.withLock { $0.state } }

  /// A step of the store as a step of this one.
  func pass(_ step: StoreStep) -> StoreStep { contents.withLock { $0.take(step, decoder) } }
}

/// What a `DecodedStore` knows. Pure but for the decoding.
struct DecodedContents: Sendable {
  private(set) var state: StoreState
  /// What could not be decoded, by the file and by the item.
  private var faults: [RelativePath: Problem] = [:]
  private var faultyPaths: [Item.ID: RelativePath] = [:]

  init(emptied state: StoreState) {
    self.state = StoreState(items: [:], problems: [:], settings: state.settings, version: state.version, models: [:])
  }

  mutating func take(_ step: StoreStep, _ decoder: ModelDecoder) -> StoreStep {
    var next = StoreState(
      items: state.items, problems: state.problems, settings: step.state.settings, version: step.state.version, models: state.models)
    var paths = step.changes.paths
    for id in step.changes.ids {
      if let path = faultyPaths.removeValue(forKey: id) {
        faults[path] = nil
        paths.insert(path)
      }
      guard let item = step.state.items[id] else {
        next.set(id, nil)
        continue
      }
      switch decoder.decode(item) {
      case .success(let model): next.set(id, (item, model))
      case .failure(let problem):
        // A last good model belongs to its path.
        if let old = next.items[id], old.path != item.path { next.set(id, nil) }
        faults[item.path] = problem
        faultyPaths[id] = item.path
        paths.insert(item.path)
      }
    }
    for path in paths { next.problems[path] = step.state.problems[path] ?? faults[path] }
    let changes = StoreChanges(
      ids: step.changes.ids.filter { state.items[$0] !== next.items[$0] }, paths: paths.filter { state.problems[$0] != next.problems[$0] })
    state = next
    return StoreStep(state: next, changes: changes, origin: step.origin, since: step.since)
  }
}

extension StoreState {
  fileprivate mutating func set(_ id: Item.ID, _ decoded: (item: Item, model: Model)?) {
    items[id] = decoded?.item
    models?[id] = decoded?.model
  }
}

extension StoreChanges {
  /// What is different between two states. O(n).
  init(from old: StoreState, to new: StoreState) {
    self.init()
    for (id, item) in new.items where old.items[id] !== item { ids.insert(id) }
    for (id, _) in old.items where new.items[id] == nil { ids.insert(id) }
    for (path, problem) in new.problems where old.problems[path] != problem { paths.insert(path) }
    for (path, _) in old.problems where new.problems[path] == nil { paths.insert(path) }
  }
}
