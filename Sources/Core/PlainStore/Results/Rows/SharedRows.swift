import CLinux
import DiffableSnapshot
import Dispatch
import Files
import Folder
import Query
import Synchronization
import Values

/// The rows and the searched texts that lists with one order share. A list adds only which rows it
/// shows, and its window.
///
/// The first list that follows a step updates the rows; the others get the result (`SharedStep`).
/// A list that shows more or less than the items of a store (`ListContents`) has rows of its own.
///
/// One lock guards them. It is acquired under the lock of a list. Lists hold this object, and the store's table finds it
/// (`SharedRowsTable`), so that it goes with the last list.
///
/// Invariants: the rows of each list were `newest` at some time. So those of each list lead to
/// `newest` by edits alone, and lists agree on the numbers of rows. `keys` are those of some items
/// of `newest`. The texts are those of `newest`, too.
final class SharedRows: Sendable {
  /// True if these are the rows of the states that a store publishes, by their versions.
  let followsStore: Bool
  private let order: RowOrder
  /// The time after the last search at which texts are released.
  private let textLifetime: Duration
  /// The time is longer than most pauses between two keys. After it, the next key makes the texts
  /// again, which is fast enough for a key also with 100,000 items.
  private static let defaultTextLifetime = Duration.seconds(15)
  /// Lock: guards the newest rows of one order, and their searched texts. `ParallelWork` is locked
  /// under it.
  private let state: Mutex<State>

  fileprivate struct State {
    /// Nil until the first list asks for the rows.
    var newest: ArrangedRows?
    var keys: [Item.ID: SortKey] = [:]
    var texts = SharedTexts()
  }

  /// Creates rows that no other list shares yet.
  init(_ rows: ArrangedRows, textLifetime: Duration = SharedRows.defaultTextLifetime) {
    followsStore = false
    self.textLifetime = textLifetime
    order = rows.order
    state = Mutex(State(newest: rows))
  }

  /// Creates the rows of a store, which are made when the first list asks for them.
  init(followingStore order: RowOrder) {
    followsStore = true
    textLifetime = SharedRows.defaultTextLifetime
    self.order = order
    state = Mutex(State())
  }

  /// Returns the rows of a published state; nil if those of a later one were made already.
  func rows(of published: StoreState) -> ArrangedRows? {
    state.withLock { state in
      guard let newest = state.newest else {
        let rows = ArrangedRows(published, order)
        state.newest = rows
        return rows
      }
      if newest.state.version < published.version {
        _ = state.advance(to: published, SharedStep(StoreChanges(from: newest.state, to: published).ids))
      }
      return state.newest?.state.version == published.version ? state.newest : nil
    }
  }

  /// Returns the step from the rows of a list to those of a newer state.
  ///
  /// - Parameter step: The items that changed since the state of the list.
  /// - Returns: The step; nil if the rows of a later state were made already.
  func step(from rows: ArrangedRows, to new: StoreState, _ step: SharedStep) -> RowsStep? {
    state.withLock { state in
      if let made = step.step(of: self, from: rows.serial) { return made }
      let made = followsStore ? state.published(rows, new, step) : state.own(rows, new, step)
      if let made { step.keep(made, of: self) }
      return made
    }
  }

  /// Returns the texts of the rows of a list; nil if they aren't worth it, are too large, or no
  /// longer belong to its rows.
  ///
  /// - Parameters:
  ///   - searched: The part of the items to search.
  ///   - isTyping: True if the list will probably be searched again soon. Otherwise the texts are
  ///     made when a second list asks for them.
  func corpus(_ searched: SearchedText, of rows: ArrangedRows, isTyping: Bool) -> SearchCorpus? {
    let (corpus, needsTimer) = state.withLock { state in
      if state.newest?.serial != rows.serial { return (nil as SearchCorpus?, false) }
      let corpus = state.texts.corpus(searched, of: rows, isTyping: isTyping)
      return (corpus, state.texts.needsTimer())
    }
    if needsTimer { scheduleTextRelease(after: textLifetime) }
    return corpus
  }

  /// Sets a timer that releases the texts `textLifetime` after the last search.
  private func scheduleTextRelease(after delay: Duration) {
    MidnightTimer.queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
      guard let self, let rest = releaseTexts(unusedFor: textLifetime) else { return }
      scheduleTextRelease(after: rest)
    }
  }

  /// Releases the texts that were not searched for some time.
  ///
  /// - Returns: The time after which to try again; nil if there are no texts any more.
  func releaseTexts(unusedFor lifetime: Duration) -> Duration? {
    let (released, rest) = state.withLock { $0.texts.release(unusedFor: lifetime) }
    SharedTexts.free(released)
    return rest
  }

  var hasTexts: Bool { state.withLock { $0.texts.count > 0 } }
}

extension SharedRows.State {
  /// Moves the rows and all that depends on them to another state.
  mutating func advance(to new: StoreState, _ step: SharedStep) -> RowsStep? {
    // Taken out, so that nothing is copied.
    guard var rows = newest.take() else { return nil }
    let made = rows.update(step.ids, to: new, &keys)
    newest = rows
    if !step.ids.isEmpty { texts.update(made, step) }
    return made
  }

  /// Returns the step of a list of a store to a published state.
  mutating func published(_ rows: ArrangedRows, _ new: StoreState, _ step: SharedStep) -> RowsStep? {
    guard let old = newest, old.state.version <= new.version else { return nil }
    if old.state.version < new.version {
      if old.serial == rows.serial { return advance(to: new, step) }
      _ = advance(to: new, SharedStep(StoreChanges(from: old.state, to: new).ids))
    }
    return newest.map { RowsStep(from: rows, to: $0, step.ids) }
  }

  /// Returns the step of a list that has rows of its own.
  mutating func own(_ rows: ArrangedRows, _ new: StoreState, _ step: SharedStep) -> RowsStep? {
    // The step is computed a second time if the list changed at the same time.
    if newest?.serial != rows.serial { self = SharedRows.State(newest: rows) }
    return advance(to: new, step)
  }
}

/// The rows that the lists of a store share, by their order. Rows that no list holds are gone.
///
/// One lock guards it. It is acquired under the lock of a list; while it is held, nothing else is
/// locked.
final class SharedRowsTable: Sendable {
  /// Lock: guards which rows the lists of a store share.
  private let entries = Mutex<[RowOrder: Entry]>([:])

  private struct Entry {
    weak var rows: SharedRows?
  }

  /// Returns the rows of a published state in an order; nil if those of a later state were made
  /// already.
  func rows(of state: StoreState, in order: RowOrder) -> (shared: SharedRows, rows: ArrangedRows)? {
    let shared = entries.withLock { entries in
      if let rows = entries[order]?.rows { return rows }
      let rows = SharedRows(followingStore: order)
      entries = entries.filter { $0.value.rows != nil }
      entries[order] = Entry(rows: rows)
      return rows
    }
    return shared.rows(of: state).map { (shared, $0) }
  }

  /// The number of orders in which lists show the store.
  var count: Int { entries.withLock { $0.values.count { $0.rows != nil } } }
}

/// The step of a store as all lists with the same rows see it: for each changed item, its rows
/// before and after.
struct RowsStep: Sendable {
  /// A row with its number in `ArrangedRows.rows`.
  struct Row: Sendable {
    let id: Item.ID
    /// The number of the row, which it keeps.
    let number: Int
  }

  /// An item that was added, removed or read again.
  struct Entry: Sendable {
    /// The item as it is now; nil if it is gone.
    let item: Item?
    /// The rows before the step.
    let old: [Row]
    /// The rows after the step.
    var new: [Row]
    /// True if the rows were added, removed or moved; false if they stay where they are.
    let isPlaced: Bool
  }

  /// The number of the arrangement before the step.
  let from: Int
  /// The rows after the step.
  let rows: ArrangedRows
  /// The changed items.
  let entries: [Entry]
  /// All rows of the items before and after the step.
  let touched: Set<Item.ID>
  /// The rows of `touched` that were added, removed or moved.
  let placed: Set<Item.ID>

  init(from: Int, to rows: ArrangedRows, _ entries: [Entry]) {
    self.from = from
    self.rows = rows
    self.entries = entries
    var touched: Set<Item.ID> = []
    var placed: Set<Item.ID> = []
    touched.reserveCapacity(entries.count)
    for entry in entries {
      for row in entry.old { touched.insert(row.id) }
      for row in entry.new { touched.insert(row.id) }
      if entry.isPlaced {
        for row in entry.old { placed.insert(row.id) }
        for row in entry.new { placed.insert(row.id) }
      }
    }
    self.touched = touched
    self.placed = placed
  }
}

/// The texts of rows that are searched, by the part of an item that they have.
struct SharedTexts: Sendable {
  /// The most parts of items whose texts are kept. For more, those that were not searched longest
  /// are released.
  private static let maxCorpora = 8

  private var corpora: [SearchedText: SearchCorpus] = [:]
  /// The parts that a list searched once, and those whose texts are too large.
  private var searchedOnce: Set<SearchedText> = []
  private var tooLarge: Set<SearchedText> = []
  private var hasTimer = false

  /// The number of parts of the items that have texts.
  var count: Int { corpora.count }

  /// Returns the texts of some part of the items, and makes them if that is worth it.
  mutating func corpus(_ searched: SearchedText, of rows: ArrangedRows, isTyping: Bool) -> SearchCorpus? {
    if let corpus = corpora[searched], !corpus.isStale {
      corpora[searched]?.lastUse = .now
      return corpus
    }
    corpora[searched] = nil
    if searchedOnce.count + tooLarge.count > 8 * SharedTexts.maxCorpora {
      (searchedOnce, tooLarge) = ([], [])
    }
    if tooLarge.contains(searched) || searchedOnce.insert(searched).inserted && !isTyping { return nil }
    guard
      let corpus = SearchCorpus(
        of: rows.rows, hasOccurrences: rows.order.sections.hasOccurrences, rows.state.items, searched)
    else {
      tooLarge.insert(searched)
      return nil
    }
    if corpora.count >= SharedTexts.maxCorpora,
      let oldest = corpora.min(by: { $0.value.lastUse < $1.value.lastUse })
    {
      corpora[oldest.key] = nil
    }
    corpora[searched] = corpus
    return corpus
  }

  /// Updates the texts of the items that a step changed. After a large step they are released.
  mutating func update(_ made: RowsStep, _ step: SharedStep) {
    let limit = made.rows.rows.numberOfAllItems / 8
    for searched in Array(corpora.keys) {
      guard step.ids.count <= limit, corpora[searched]?.isStale == false,
        let texts = step.texts(searched, of: made.rows.state)
      else {
        corpora[searched] = nil
        continue
      }
      for (number, entry) in made.entries.enumerated() where entry.item != nil {
        corpora[searched]?.append(texts, number, rows: entry.new.lazy.map(\.number))
      }
    }
  }

  /// Returns true if a timer must be set that releases the texts.
  mutating func needsTimer() -> Bool {
    if corpora.isEmpty || hasTimer { return false }
    hasTimer = true
    return true
  }

  /// Removes the texts that were not searched for some time.
  ///
  /// - Returns: The texts, and the time until the next ones are due; nil if there are none.
  mutating func release(unusedFor lifetime: Duration) -> (released: [SearchCorpus], rest: Duration?) {
    let now = ContinuousClock.now
    let old = corpora.filter { now - $0.value.lastUse >= lifetime }
    for searched in old.keys { corpora[searched] = nil }
    let rest = corpora.values.map { lifetime - (now - $0.lastUse) }.min()
    if rest == nil { hasTimer = false }
    return (Array(old.values), rest)
  }

  /// Releases texts outside of all locks. They are large blocks, which the C library would keep.
  static func free(_ texts: consuming [SearchCorpus]) {
    if texts.isEmpty { return }
    texts = []
    clinux_trim_memory()
  }
}

/// The results that the lists of a store compute once for all of them while they follow one step.
/// They are released with the step. Only the thread that gives the lists their steps uses it.
final class SharedStep {
  /// The items that changed, in the order of all results.
  let ids: [Item.ID]
  private var texts: [SearchedText: StepTexts] = [:]
  private var steps: [ObjectIdentifier: RowsStep] = [:]

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
    if let texts = texts[searched] { return texts }
    let made = StepTexts(of: ids, state, searched)
    texts[searched] = made
    return made
  }

  /// Returns the step of rows from the arrangement with a number; nil if no list has made it.
  func step(of rows: SharedRows, from serial: Int) -> RowsStep? {
    steps[ObjectIdentifier(rows)].flatMap { $0.from == serial ? $0 : nil }
  }

  func keep(_ step: RowsStep, of rows: SharedRows) {
    steps[ObjectIdentifier(rows)] = step
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
  func contain(_ words: [FoldedPattern], _ number: Int) -> Bool {
    segments[number / StepTexts.itemsAtOnce].contains(words, number % StepTexts.itemsAtOnce)
  }

  /// Appends the text of an item to another segment.
  func append(_ number: Int, to segment: inout SearchSegment) {
    segment.append(segments[number / StepTexts.itemsAtOnce], number % StepTexts.itemsAtOnce)
  }
}
