import DiffableSnapshot
import Folder
import HashTreeCollections
import Query
import Values

/// The rows that the filter admits.
///
/// The first change of a search text makes a corpus of the items' texts, which all lists with these
/// rows search, until it is released. So does the second list that is made with a search text.
extension ResultsIndex {
  /// Shows another request of the same contents.
  ///
  /// If the order stays, nothing is sorted. If fewer items can match than before, only the shown
  /// items are tested; if more can, only the hidden ones.
  ///
  /// - Parameter isPublished: True if the state is one that the store published.
  mutating func show(_ new: FetchRequest, of state: StoreState, filter: ItemFilter, isPublished: Bool = false)
  {
    guard RowOrder(new) == rows.order else {
      self = ResultsIndex(
        state, request: new, filter: filter, sharing: table, isPublished: isPublished,
        minCorpusItems: minCorpusItems)
      return
    }
    let old = self.filter
    let keepsWindow = request.hasWindow && new.hasWindow && request.window.overlaps(new.window)
    request = new
    self.filter = filter
    switch (filter.isNarrower(than: old), old.isNarrower(than: filter)) {
    case (true, true):
      if keepsWindow {
        _ = window?.follow(all, range: new.window)
        return
      }
    case (true, false):
      // Words that the old filter has match already.
      search(.shown, for: filter.words.filter { !old.words.contains($0) }, state, isTyping: true)
    case (false, true): search(.hidden, for: filter.words, state, isTyping: true)
    case (false, false): search(.all, for: filter.words, state, isTyping: true)
    }
    cutWindow()
  }

  /// Makes the corpus for the next search text, if searches of this list use one.
  func prepareSearch() {
    if all.numberOfAllItems >= minCorpusItems { _ = shared.corpus(filter.searched, of: rows, isTyping: true) }
  }

  /// Hides and shows the rows by the filter, item by item.
  mutating func hide(_ asked: AskedItems, _ state: StoreState) {
    if filter.isEmpty { return all.showAllItems() }
    var text = FoldedText()
    all.setHidden(asking: asked) { id in !(state.items[id.item].map { filter.fits($0, &text) } ?? false) }
  }

  /// Hides and shows the rows by the filter.
  ///
  /// - Parameters:
  ///   - asked: The rows that are tested.
  ///   - words: The words to look up. All others of the filter are known to be in the items of
  ///     these rows.
  ///   - isTyping: True if the list will probably be searched again soon.
  mutating func search(_ asked: AskedItems, for words: [FoldedPattern], _ state: StoreState, isTyping: Bool) {
    guard !words.isEmpty, all.numberOfAllItems >= minCorpusItems, isTyping || shared.followsStore,
      let corpus = shared.corpus(filter.searched, of: rows, isTyping: isTyping)
    else { return hide(asked, state) }
    let matches = corpus.matches(of: words, asking: asked, in: all)
    if !filter.hasPredicate { return all.setHiddenNumbers(asking: asked) { !matches.contain($0) } }
    let rows = all
    all.setHiddenNumbers(asking: asked) { number in
      guard matches.contain(number), let item = state.items[rows.item(withNumber: number).item] else {
        return true
      }
      return !filter.fitsPredicate(item)
    }
  }
}
