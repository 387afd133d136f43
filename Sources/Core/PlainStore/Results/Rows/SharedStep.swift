import Files
import Folder
import Query
import Synchronization
import Values

/// The results that the lists of a store compute once for all of them while they follow one step.
/// They are released with the step.
///
/// One lock guards it. It is acquired under the lock of a list or of `SharedRows`; while it is
/// held, nothing else is locked.
final class SharedStep: Sendable {
  /// The items that changed, in the order of all results.
  let ids: [Item.ID]
  /// Lock: guards what the lists compute once for all of them in one step. `ParallelWork` is locked
  /// under it.
  private let results = Mutex<Results>(Results())

  private struct Results {
    var texts: [SearchedText: StepTexts] = [:]
    var steps: [ObjectIdentifier: RowsStep] = [:]
  }

  /// The most items whose texts are kept for other lists. Of more, each list makes its own, one
  /// after the other.
  private static let maxTexts = 65_536

  /// Makes a step that no list has followed yet.
  init(_ ids: some Collection<Item.ID>) {
    self.ids = Array(ids)
  }

  /// Returns the texts of the changed items, as they are searched; nil if there are too many items.
  func texts(_ searched: SearchedText, of state: StoreState) -> StepTexts? {
    if ids.count > SharedStep.maxTexts { return nil }
    return results.withLock { results in
      if let texts = results.texts[searched] { return texts }
      let texts = StepTexts(of: ids, state, searched)
      results.texts[searched] = texts
      return texts
    }
  }

  /// Returns the step of rows from the arrangement with a number; nil if no list has made it.
  func step(of rows: SharedRows, from serial: Int) -> RowsStep? {
    results.withLock { $0.steps[ObjectIdentifier(rows)] }.flatMap { $0.from == serial ? $0 : nil }
  }

  /// Keeps a step of rows for the other lists.
  func keep(_ step: RowsStep, of rows: SharedRows) {
    results.withLock { $0.steps[ObjectIdentifier(rows)] = step }
  }
}

/// The folded texts of the items that one step changed.
struct StepTexts: Sendable {
  private let segments: [SearchSegment]

  /// The number of items whose texts one thread makes at a time.
  private static let itemsAtOnce = 256

  fileprivate init(of ids: [Item.ID], _ state: StoreState, _ searched: SearchedText) {
    segments = ParallelWork.map(ids.count, by: StepTexts.itemsAtOnce) { range in
      var segment = SearchSegment()
      var text = FoldedText()
      for id in ids[range] {
        text.reset()
        if let item = state.items[id] { searched.append(item, to: &text) }
        segment.append(text)
      }
      return segment
    }
  }

  /// Returns true if the text of an item contains all words.
  ///
  /// - Parameter number: The number of the item in the step.
  func contain(_ words: [FoldedPattern], _ number: Int) -> Bool {
    segments[number / StepTexts.itemsAtOnce].contains(words, number % StepTexts.itemsAtOnce)
  }

  /// Appends the text of an item to another segment.
  func append(_ number: Int, to segment: inout SearchSegment) {
    segment.append(segments[number / StepTexts.itemsAtOnce], number % StepTexts.itemsAtOnce)
  }
}
