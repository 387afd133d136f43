import DirectoryWatch
import HashTreeCollections
import Synchronization

/// A store as a list of models sees it. An item that does not decode is a problem and keeps its
/// last good model, as a file that cannot be read keeps its last good item.
///
/// One lock guards the contents. Decoding runs user code, so the contents are moved out of the lock
/// during it; steps come one at a time (`FetchedResults.update`).
final class DecodedStore: Sendable {
  private let decoder: ModelDecoder
  /// The contents; nil while a step is decoded.
  private let contents: Mutex<DecodedContents?>

  init(_ state: StoreState, _ decoder: ModelDecoder) {
    self.decoder = decoder
    var contents = DecodedContents(emptied: state)
    let step = StoreStep(state: state, changes: StoreChanges(from: contents.state, to: state), origin: .files)
    _ = contents.update(with: step, decoder)
    self.contents = Mutex(contents)
  }

  /// The state after the last step; nil while a step is decoded.
  var state: StoreState? { contents.withLock { $0?.state } }

  /// Returns a step of the store as a step of the decoded one.
  func update(with step: StoreStep) -> StoreStep {
    let current = contents.withLock { exchange(&$0, with: nil) }
    guard var current else { preconditionFailure("Steps of a store come one at a time.") }
    let decoded = current.update(with: step, decoder)
    contents.withLock { [current] in $0 = current }
    return decoded
  }
}

/// The contents of a `DecodedStore`. Pure, except that decoding runs user code.
struct DecodedContents: Sendable {
  private(set) var state: StoreState
  /// The problems of items that could not be decoded, by file, and their files by item.
  private var faults: [RelativePath: Problem] = [:]
  private var faultyPaths: [Item.ID: RelativePath] = [:]

  init(emptied state: StoreState) {
    self.state = StoreState(items: [:], problems: [:], settings: state.settings, version: state.version, models: [:])
  }

  mutating func update(with step: StoreStep, _ decoder: ModelDecoder) -> StoreStep {
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
        // A last good model belongs to its path: another file with the id does not keep it.
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
