/// The rows that a list shows: the shared rows of its order (`SharedRows`), its filter and its window.
///
/// Items that the filter excludes are hidden, so that another search text hides and shows items but
/// moves none. A step costs a list O(k log n) for k changed items: the rows are edited once for all
/// lists that share them, and each list tests its filter on the changed items.
///
/// In a list that sorts by relevance, a second order of the shown rows lies between them and the window.
///
/// Invariants: `all` is `rows.rows` with those rows hidden whose items the filter excludes. `ranked`, if it is
/// not nil, shows the same rows in the same sections, by their ranks and then in the order of `all`.
struct ListIndex {
  var request: FetchRequest
  /// All rows in the order of the fields.
  var all: Snapshot<SectionID, Item.ID>
  private(set) var ranking: SearchRanking?
  /// The shown rows, the best matches of the search first; nil if the request does not sort by relevance.
  var ranked: Snapshot<SectionID, Item.ID>?
  /// The part of the list in the window; nil if the request has no window.
  var window: SnapshotWindow<SectionID, Item.ID>?
  var filter: ItemFilter
  private(set) var rows: ArrangedRows
  private(set) var shared: SharedRows
  let store: PublishedStore?
  /// The number of rows from which on a list that is searched has a corpus.
  let minCorpusItems: Int

  /// Smaller lists are searched item by item.
  static let minCorpusItems = 1_024
  /// If more than one in this many rows is hidden or shown, one pass over all rows is faster.
  private static let rowsPerToggle = 64

  var shown: Snapshot<SectionID, Item.ID> { window?.list ?? complete }

  /// The list before its window.
  private var complete: Snapshot<SectionID, Item.ID> { ranked ?? all }

  var totalCount: Int { all.numberOfItems }

  /// Makes the index of a state. O(n log n); O(n) if another list has these rows. Without a `store` it has
  /// rows of its own. `isPublished` if the store published the state.
  init(
    _ state: StoreState, request: FetchRequest, filter: ItemFilter, sharing store: PublishedStore? = nil,
    isPublished: Bool = false,
    minCorpusItems: Int = ListIndex.minCorpusItems
  ) {
    self.request = request
    self.minCorpusItems = minCorpusItems
    self.filter = filter
    self.store = store
    let order = RowOrder(request)
    if isPublished, let found = store?.rows(of: state, in: order) {
      (shared, rows) = found
    } else {
      rows = ArrangedRows(state, order)
      shared = SharedRows(rows)
    }
    all = rows.rows
    search(.all, for: filter.words, state, isTyping: false)
    arrange(isTyping: false)
  }

  /// Makes the order of relevance and the window.
  private mutating func arrange(isTyping: Bool) {
    ranking = SearchRanking(request)
    rank(isTyping: isTyping)
    window = request.hasWindow ? SnapshotWindow(request.window, of: complete) : nil
  }

  struct Differences {
    /// The rows that may be different: they were added, removed, moved or read again.
    var touched: Set<Item.ID> = []
    /// True if the list shows one of them, or did, or if the total number changed.
    var areShown = false
  }

  /// Updates the list with a step of the store. `isPublished` if the store published the state.
  mutating func update(_ step: StoreStep, isPublished: Bool = false) -> Differences {
    if isPublished, !shared.followsStore, let found = store?.rows(of: step.state, in: rows.order) {
      return adopt(found, step)
    }
    if shared.followsStore, !isPublished { shared = SharedRows(rows) }
    if let made = shared.step(from: rows, step) { return apply(made, step) }
    // The shared rows show a later state.
    shared = SharedRows(rows)
    return shared.step(from: rows, step).map { apply($0, step) } ?? Differences()
  }

  private mutating func apply(_ made: RowsStep, _ step: StoreStep) -> Differences {
    let old = (all: all, shown: shown, count: totalCount)
    let fitting = fitting(made.entries, step)
    // The value that most new rows need leaves the fewest to toggle.
    all = all.rebased(from: rows.rows, onto: made.rows.rows, showsNew: fitting.first ?? true)
    rows = made.rows
    var areShown = false
    // The rows that were hidden or shown.
    var toggled: [RowsStep.Row] = []
    for (entry, fits) in zip(made.entries, fitting) {
      areShown = areShown || fits || entry.old.contains { !old.all.isHidden(itemNumber: $0.number) }
      for row in entry.new where all.isHidden(itemNumber: row.number) == fits { toggled.append(row) }
    }
    toggle(toggled)
    rank(made.touched)
    guard window != nil else { return Differences(touched: made.touched, areShown: areShown) }
    // Rows that cross the window's edges come and go without having changed.
    let moved = ranked == nil ? made.placed.union(toggled.lazy.map(\.id)) : made.touched
    let crossing = followWindow(changed: moved)
    let touched = made.touched.union(crossing)
    let isInWindow = touched.contains {
      old.shown.itemNumber(of: $0) != nil || shown.itemNumber(of: $0) != nil
    }
    areShown = areShown && (isInWindow || totalCount != old.count)
    return Differences(touched: touched, areShown: areShown)
  }

  /// Returns the rows that crossed the edges of the window, and the changed ones.
  private mutating func followWindow(changed: Set<Item.ID> = []) -> Set<Item.ID> {
    let complete = complete
    return window?.follow(complete, changed: changed, range: request.window) ?? []
  }

  private mutating func toggle(_ toggled: [RowsStep.Row]) {
    if toggled.count * ListIndex.rowsPerToggle < all.numberOfAllItems {
      for row in toggled { all.setHidden(!all.isHidden(itemNumber: row.number), itemNumber: row.number) }
      return
    }
    var isToggled = [Bool](repeating: false, count: all.itemNumberLimit)
    for row in toggled { isToggled[row.number] = true }
    let old = all
    all.setHiddenNumbers { old.isHidden(itemNumber: $0) != isToggled[$0] }
  }

  private mutating func adopt(_ found: (shared: SharedRows, rows: ArrangedRows), _ step: StoreStep)
    -> Differences
  {
    let old = (rows: rows, window: window)
    (shared, rows) = found
    all = rows.rows
    search(.all, for: filter.words, rows.state, isTyping: false)
    arrange(isTyping: false)
    var touched = RowsStep(from: old.rows, to: rows, step.ids).touched
    if let old = old.window, let window {
      touched.formUnion(old.list.itemIdentifiers + window.list.itemIdentifiers)
    }
    return Differences(touched: touched, areShown: true)
  }

  private static let testedAtOnce = 256

  private func fitting(_ entries: [RowsStep.Entry], _ step: StoreStep) -> [Bool] {
    if filter.isEmpty { return Array(repeating: true, count: entries.count) }
    let texts = filter.words.isEmpty ? nil : step.texts(filter.searched)
    let parts = ParallelWork.map(entries.count, by: ListIndex.testedAtOnce) {
      [filter, state = step.state] range in
      var text = FoldedText()
      return range.map { number in
        guard let item = entries[number].item else { return false }
        let fields = state.fields(of: item)
        guard let texts else { return filter.fits(fields, &text) }
        return texts.contain(filter.words, number) && filter.fitsPredicate(fields)
      }
    }
    return Array(parts.joined())
  }
}

/// The rows that the filter admits.
///
/// The first change of a search text makes a corpus of the items' texts, which all lists with these
/// rows search, until it is released. So does the second list that is made with a search text.
extension ListIndex {
  /// Shows another request of the same contents.
  ///
  /// If the order stays, and the links that are read through, nothing is sorted. If fewer items can match
  /// than before, only the shown items are tested; if more can, only the hidden ones.
  mutating func show(_ new: FetchRequest, of state: StoreState, filter: ItemFilter, isPublished: Bool = false)
  {
    guard RowOrder(new) == rows.order, state.reader.modelFields == rows.state.reader.modelFields else {
      self = ListIndex(
        state, request: new, filter: filter, sharing: store, isPublished: isPublished,
        minCorpusItems: minCorpusItems)
      return
    }
    let old = self.filter
    let keepsWindow =
      request.hasWindow && new.hasWindow && request.window.overlaps(new.window)
      && ranking == SearchRanking(new)
    request = new
    self.filter = filter
    switch (filter.isNarrower(than: old), old.isNarrower(than: filter)) {
    case (true, true):
      if keepsWindow {
        _ = followWindow()
        return
      }
    case (true, false):
      // Words that the old filter has match already.
      search(.shown, for: filter.words.filter { !old.words.contains($0) }, state, isTyping: true)
    case (false, true): search(.hidden, for: filter.words, state, isTyping: true)
    case (false, false): search(.all, for: filter.words, state, isTyping: true)
    }
    arrange(isTyping: true)
  }

  /// Makes the corpus for the next search text, if searches of this list use one.
  func prepareSearch() {
    if all.numberOfAllItems >= minCorpusItems { _ = shared.corpus(filter.searched, of: rows, isTyping: true) }
  }

  /// Hides and shows the `asked` rows by the filter. Only `words` are looked up: all others of the filter
  /// are known to be in the items of these rows. `isTyping` if the list will probably be searched again soon.
  ///
  /// The texts tell which rows match surely, and which may match. Only the rest of these are tested.
  mutating func search(_ asked: AskedItems, for words: [FoldedPattern], _ state: StoreState, isTyping: Bool) {
    if filter.isEmpty { return all.showAllItems() }
    let limit = rows.rows.itemNumberLimit
    var asks = RowSet(shownIn: asked == .shown ? all : rows.rows, limit: limit)
    if asked == .hidden { asks = asks.subtracting(RowSet(shownIn: all, limit: limit)) }
    let usesTexts = all.numberOfAllItems >= minCorpusItems && (isTyping || shared.followsStore)
    var texts = KnownTexts(usesTexts: usesTexts, isTyping: isTyping)
    var (sure, possible) = bounds(of: filter.textPredicate(asking: words), among: asks, &texts)
    let hasWords = words.isEmpty || (texts.corpora[filter.searched] ?? nil) != nil
    let numbers = possible.subtracting(sure).numbers(in: 0..<limit)
    let tests = ParallelWork.map(numbers.count, by: ListIndex.testedAtOnce) {
      [filter, rows = rows.rows] range in
      var text = FoldedText()
      return range.map { number in
        guard let item = state.items[rows.item(withNumber: numbers[number]).item] else { return false }
        let fields = state.fields(of: item)
        return hasWords ? filter.fitsPredicate(fields) : filter.fits(fields, &text)
      }
    }
    for (number, fits) in zip(numbers, tests.joined()) where fits { sure.insert(number) }
    all.setHiddenNumbers(asking: asked) { !sure.contains($0) }
  }

  /// The texts that one search looks into, by the part of an item that they have; nil if they aren't worth it.
  private struct KnownTexts {
    let usesTexts: Bool
    let isTyping: Bool
    var corpora: [SearchedText: SearchCorpus?] = [:]
  }

  /// Returns the rows among some for which a condition surely holds, and those for which it may hold.
  private func bounds(of condition: TextPredicate, among asked: RowSet, _ texts: inout KnownTexts)
    -> (sure: RowSet, possible: RowSet)
  {
    func find(
      _ searched: SearchedText, _ makeTest: @escaping @Sendable () -> (UnsafeRawBufferPointer) -> Bool
    ) -> (sure: RowSet, possible: RowSet) {
      let known = texts.corpora[searched]
      let corpus =
        known ?? (texts.usesTexts ? shared.corpus(searched, of: rows, isTyping: texts.isTyping) : nil)
      texts.corpora[searched] = .some(corpus)
      guard let found = corpus?.rows(among: asked, where: makeTest) else {
        return (RowSet(limit: asked.limit), asked)
      }
      return (found, found)
    }
    switch condition {
    case .unknown: return (RowSet(limit: asked.limit), asked)
    case .words(let words, let areBegun, let searched):
      return find(searched) { TextPredicate.test(words, areBegun: areBegun) }
    case .names(let pattern): return find(SearchedText(fields: [])) { TextPredicate.test(names: pattern) }
    case .not(let condition):
      let (sure, possible) = bounds(of: condition, among: asked, &texts)
      return (asked.subtracting(possible), asked.subtracting(sure))
    case .and(let conditions):
      var (sure, possible) = (asked, asked)
      for condition in conditions {
        let next = bounds(of: condition, among: possible, &texts)
        sure = sure.combined(with: next.sure, by: &)
        possible = next.possible
      }
      return (sure, possible)
    case .or(let conditions):
      var (sure, possible) = (RowSet(limit: asked.limit), RowSet(limit: asked.limit))
      for condition in conditions {
        let next = bounds(of: condition, among: asked.subtracting(sure), &texts)
        sure = sure.union(next.sure)
        possible = possible.union(next.possible)
      }
      return (sure, possible)
    }
  }
}
