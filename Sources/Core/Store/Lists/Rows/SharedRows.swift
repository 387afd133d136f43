import CLinux
import Dispatch
import Synchronization

/// The rows and the searched texts that lists with one order share. A list adds only which rows it
/// shows, and its window.
///
/// The first list that follows a step updates the rows; the others get the result (`StoreStep`).
/// A list that shows more or less than the items of a store (`ListContents`) has rows of its own.
///
/// One lock guards them. It is acquired under the lock of a list. Lists hold this object, and the store
/// finds it (`PublishedStore`), so that it goes with the last list.
///
/// Invariants: the rows of each list were `newest` at some time. So those of each list lead to
/// `newest` by edits alone, and lists agree on the numbers of rows. `keys` are those of some items
/// of `newest`. The texts are those of `newest`, too.
final class SharedRows: Sendable {
  /// True if these are the rows of the states that a store publishes, by their versions.
  let followsStore: Bool
  private let order: RowOrder
  private let textLifetime: Duration
  /// The time is longer than most pauses between two keys. After it, the next key makes the texts
  /// again, which is fast enough for a key also with 100,000 items.
  private static let defaultTextLifetime = Duration.seconds(15)
  /// Lock: guards the newest rows of one order, and their searched texts. `ParallelWork` is locked under it.
  private let state: Mutex<State>

  fileprivate struct State {
    /// Nil until the first list asks for the rows.
    var newest: ArrangedRows?
    var keys: [Item.ID: SortKey] = [:]
    var texts = SharedTexts()
  }

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
        _ = state.advance(StoreStep(from: newest.state, to: published))
      }
      return state.newest?.state.version == published.version ? state.newest : nil
    }
  }

  /// Returns the step from the rows of a list; nil if the rows of a later state were made already.
  func step(from rows: ArrangedRows, _ step: StoreStep) -> RowsStep? {
    state.withLock { state in
      if let made = step.step(of: self, from: rows.serial) { return made }
      let made = followsStore ? state.published(rows, step) : state.own(rows, step)
      if let made { step.keep(made, of: self) }
      return made
    }
  }

  /// Returns the texts of the rows of a list; nil if they aren't worth it, are too large, or no longer
  /// belong to its rows. Unless the list will probably be searched again soon (`isTyping`), they are made
  /// when a second list asks for them.
  func corpus(_ searched: SearchedText, of rows: ArrangedRows, isTyping: Bool) -> SearchCorpus? {
    let (corpus, needsTimer) = state.withLock { state in
      if state.newest?.serial != rows.serial { return (nil as SearchCorpus?, false) }
      let corpus = state.texts.corpus(searched, of: rows, isTyping: isTyping)
      return (corpus, state.texts.needsTimer())
    }
    if needsTimer { scheduleTextRelease(after: textLifetime) }
    return corpus
  }

  private func scheduleTextRelease(after delay: Duration) {
    MidnightTimer.queue.asyncAfter(deadline: .now() + delay / .seconds(1)) { [weak self] in
      guard let self, let rest = releaseTexts(unusedFor: textLifetime) else { return }
      scheduleTextRelease(after: rest)
    }
  }

  /// Releases texts that were not searched for some time. Returns when to try again; nil if none are left.
  func releaseTexts(unusedFor lifetime: Duration) -> Duration? {
    let (released, rest) = state.withLock { $0.texts.release(unusedFor: lifetime) }
    SharedTexts.free(released)
    return rest
  }

  var hasTexts: Bool { state.withLock { $0.texts.count > 0 } }
}

extension SharedRows.State {
  mutating func advance(_ step: StoreStep) -> RowsStep? {
    // Taken out, so that nothing is copied.
    guard var rows = newest.take() else { return nil }
    let made = rows.update(step.ids, to: step.state, &keys)
    newest = rows
    if !step.ids.isEmpty { texts.update(made, step) }
    return made
  }

  mutating func published(_ rows: ArrangedRows, _ step: StoreStep) -> RowsStep? {
    guard let old = newest, old.state.version <= step.state.version else { return nil }
    if old.state.version < step.state.version {
      if old.serial == rows.serial { return advance(step) }
      _ = advance(StoreStep(from: old.state, to: step.state))
    }
    return newest.map { RowsStep(from: rows, to: $0, step.ids) }
  }

  mutating func own(_ rows: ArrangedRows, _ step: StoreStep) -> RowsStep? {
    // The step is computed a second time if the list changed at the same time.
    if newest?.serial != rows.serial { self = SharedRows.State(newest: rows) }
    return advance(step)
  }
}

/// A step of a store as all lists with the same rows see it: the rows of changed items, before and after.
struct RowsStep {
  /// A row with its number in `ArrangedRows.rows`.
  struct Row {
    let id: Item.ID
    let number: Int
  }

  struct Entry {
    let item: Item?
    let old: [Row]
    var new: [Row]
    /// True if the rows were added, removed or moved; false if they stay where they are.
    let isPlaced: Bool
  }

  /// The number of the arrangement before the step.
  let from: Int
  let rows: ArrangedRows
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
struct SharedTexts {
  /// The most parts of items whose texts are kept. With more, those whose last search is longest ago go.
  private static let maxCorpora = 8

  private var corpora: [SearchedText: SearchCorpus] = [:]
  /// The parts that a list searched once, and those whose texts are too large.
  private var searchedOnce: Set<SearchedText> = []
  private var tooLarge: Set<SearchedText> = []
  private var hasTimer = false

  var count: Int { corpora.count }

  /// Returns the texts of some part of the items, and makes them if that is worth it.
  mutating func corpus(_ searched: SearchedText, of rows: ArrangedRows, isTyping: Bool) -> SearchCorpus? {
    if let corpus = corpora[searched], !corpus.isStale {
      corpora[searched]?.lastUse = .now
      return corpus
    }
    corpora[searched] = nil
    if searchedOnce.count + tooLarge.count > 8 * SharedTexts.maxCorpora {
      searchedOnce = []
      tooLarge = []
    }
    if tooLarge.contains(searched) || searchedOnce.insert(searched).inserted && !isTyping { return nil }
    guard
      let corpus = SearchCorpus(
        of: rows.rows, hasOccurrences: rows.order.sections.hasOccurrences, rows.state, searched)
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
  mutating func update(_ made: RowsStep, _ step: StoreStep) {
    let limit = made.rows.rows.numberOfAllItems / 8
    for searched in Array(corpora.keys) {
      guard step.ids.count <= limit, corpora[searched]?.isStale == false,
        let texts = step.texts(searched)
      else {
        corpora[searched] = nil
        continue
      }
      for (number, entry) in made.entries.enumerated() where entry.item != nil {
        corpora[searched]?.append(texts, number, rows: entry.new.lazy.map(\.number))
      }
    }
  }

  mutating func needsTimer() -> Bool {
    if corpora.isEmpty || hasTimer { return false }
    hasTimer = true
    return true
  }

  /// Removes the texts that were not searched for some time. `rest` is the time until the next ones are due.
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

/// One step of a store, as its lists get it: the new state, and what changed since the step before.
///
/// It keeps what the lists compute once for all of them. Only the thread that gives the lists their
/// steps uses it.
package final class StoreStep {
  package let state: StoreState
  package let changes: StoreChanges
  package let origin: UpdateOrigin
  /// The reason for the update that this step causes; nil to derive it from the origin.
  package let cause: UpdateCause?
  package let since: SuspendingClock.Instant?
  /// The items that changed, in the order of all results.
  let ids: [Item.ID]
  private var texts: [SearchedText: StepTexts] = [:]
  private var rowsSteps: [ObjectIdentifier: RowsStep] = [:]

  /// The most changed items whose texts are kept for other lists. With more, each list makes its own.
  private static let maxTexts = 65_536

  init(
    state: StoreState, changes: StoreChanges, origin: UpdateOrigin, cause: UpdateCause? = nil,
    since: SuspendingClock.Instant? = nil
  ) {
    self.state = state
    self.changes = changes
    self.origin = origin
    self.cause = cause
    self.since = since
    ids = Array(changes.ids)
  }

  convenience init(from old: StoreState, to new: StoreState) {
    self.init(state: new, changes: StoreChanges(from: old, to: new), origin: .files)
  }

  /// Returns the texts of the changed items, as they are searched; nil if there are too many items.
  func texts(_ searched: SearchedText) -> StepTexts? {
    if ids.count > StoreStep.maxTexts { return nil }
    if let texts = texts[searched] { return texts }
    let made = StepTexts(of: ids, state, searched)
    texts[searched] = made
    return made
  }

  func step(of rows: SharedRows, from serial: Int) -> RowsStep? {
    rowsSteps[ObjectIdentifier(rows)].flatMap { $0.from == serial ? $0 : nil }
  }

  func keep(_ step: RowsStep, of rows: SharedRows) {
    rowsSteps[ObjectIdentifier(rows)] = step
  }
}

struct StepTexts {
  private let segments: [SearchSegment]

  private static let itemsAtOnce = 256

  fileprivate init(of ids: [Item.ID], _ state: StoreState, _ searched: SearchedText) {
    segments = ParallelWork.map(ids.count, by: StepTexts.itemsAtOnce) { range in
      var segment = SearchSegment()
      var text = FoldedText()
      for id in ids[range] {
        text.reset()
        if let item = state.items[id] { searched.append(state.fields(of: item), to: &text) }
        segment.append(text)
      }
      return segment
    }
  }

  func contain(_ words: [FoldedPattern], _ number: Int) -> Bool {
    segments[number / StepTexts.itemsAtOnce].contains(words, number % StepTexts.itemsAtOnce)
  }

  func append(_ number: Int, to segment: inout SearchSegment) {
    segment.append(segments[number / StepTexts.itemsAtOnce], number % StepTexts.itemsAtOnce)
  }
}
