import DiffableSnapshot
import HashTreeCollections
import PlainText

/// Which rows are shown.
///
/// The first change of a search text makes a corpus of the items' texts. From then on a search text
/// is looked up there, until the corpus is released.
extension ResultsIndex {
  /// Shows another request of the same contents.
  ///
  /// If the order stays, nothing is sorted. If fewer items can match than before, only the shown
  /// items are tested; if more can, only the hidden ones.
  mutating func show(_ new: FetchRequest, of state: StoreState, filter: ItemFilter) {
    guard new.sort == request.sort, new.section == request.section else {
      self = ResultsIndex(state, request: new, filter: filter, minCorpusItems: minCorpusItems)
      return
    }
    let old = self.filter
    let keepsWindow = request.hasWindow && new.hasWindow && request.window.overlaps(new.window)
    request = new
    self.filter = filter
    if filter.searched != old.searched { corpus = nil }
    switch (filter.isNarrower(than: old), old.isNarrower(than: filter)) {
    case (true, true):
      if keepsWindow {
        _ = window?.follow(all, range: new.window)
        return
      }
    case (true, false):
      // Words that the old filter has match already.
      let words = filter.words.filter { !old.words.contains($0) }
      search(.shown, for: words, state)
    case (false, true): search(.hidden, for: filter.words, state)
    case (false, false): search(.all, for: filter.words, state)
    }
    cutWindow()
  }

  /// Hides and shows the rows by the filter, item by item.
  mutating func hide(_ asked: AskedItems, _ state: StoreState) {
    if filter.isEmpty {
      all.showAllItems()
      corpus?.showAll()
      return
    }
    var text = FoldedText()
    all.setHidden(asking: asked) { id in !(state.items[id.item].map { filter.fits($0, &text) } ?? false) }
  }

  mutating func cutWindow() {
    window = request.hasWindow ? SnapshotWindow(request.window, of: all) : nil
  }

  /// Hides and shows the rows by the filter.
  ///
  /// - Parameters:
  ///   - asked: The rows that are tested.
  ///   - words: The words to look up. All others of the filter are known to be in the items of
  ///     these rows.
  private mutating func search(_ asked: AskedItems, for words: [FoldedPattern], _ state: StoreState) {
    if filter.isEmpty { return hide(asked, state) }
    // A corpus that was just made does not know which rows are hidden.
    var (asked, words) = (asked, words)
    if corpus == nil || corpus?.isStale == true {
      makeCorpus(state)
      (asked, words) = (.all, filter.words)
    }
    guard var corpus = corpus.take() else { return hide(asked, state) }
    corpus.search(words, asking: asked)
    if filter.hasPredicate {
      let rows = all
      all.setHidden(asking: asked) { id in
        guard let number = rows.itemNumber(of: id), corpus.isShown(number) else { return true }
        if let item = state.items[id.item], filter.fitsPredicate(item) { return false }
        corpus.setShown(false, number)
        return true
      }
    } else {
      all.setHiddenNumbers(asking: asked) { !corpus.isShown($0) }
    }
    self.corpus = corpus
  }
}

/// The corpus of a list that is searched.
extension ResultsIndex {
  /// Makes the corpus, if the list is long and there are words to look up.
  private mutating func makeCorpus(_ state: StoreState) {
    corpus = nil
    if filter.words.isEmpty || all.numberOfAllItems < minCorpusItems || isTooLargeForCorpus { return }
    corpus = SearchCorpus(of: all, hasOccurrences: order.hasOccurrences, state.items, filter.searched)
    isTooLargeForCorpus = corpus == nil
  }

  /// The number of changed items above which the corpus is made again instead of updated.
  var corpusUpdateLimit: Int { all.numberOfAllItems / 8 }

  /// Updates the text of an item that is new or was read again. Its rows are in the list.
  mutating func updateCorpus(with item: Item, _ rows: [Item.ID], isHidden: Bool) {
    guard corpus != nil else { return }
    let numbers = rows.compactMap { all.itemNumber(of: $0) }
    corpus?.update(item, rows: numbers, isShown: !isHidden)
  }
}
