import CLinux
import Query

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
