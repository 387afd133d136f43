import Files
package import Values

/// Says how well an item matches a search text: a rank depends on the item and the text alone, so that a
/// change of a file moves only that item.
///
/// The best place of each word counts: first the names of an item, which are its id and its title, then its
/// other fields, then its body. In a name, a complete name is better than its beginning, the beginning of a
/// word, and the inside of a word. Names that have all words next to each other come before others.
package struct SearchRanking: Hashable {
  private let words: [FoldedPattern]
  /// All words in a row; nil if there is only one.
  private let phrase: FoldedPattern?

  /// Creates the ranking of a request; nil if the request does not sort by relevance, or searches nothing.
  package init?(_ request: FetchRequest) {
    guard request.sortsByRelevance else { return nil }
    let terms = request.searchTerms
    words = terms.map { FoldedPattern($0) }.filter { !$0.bytes.isEmpty }
    if words.isEmpty { return nil }
    phrase = words.count > 1 ? FoldedPattern(terms.joined(separator: " ")) : nil
  }

  private init(words: [FoldedPattern], phrase: FoldedPattern?) {
    self.words = words
    self.phrase = phrase
  }

  /// With memory of its own, for another thread.
  package var copy: SearchRanking { SearchRanking(words: words.map(\.copy), phrase: phrase?.copy) }

  /// The places of a word, the best one first.
  private enum Place: Int {
    case name, nameStart, wordStart, insideWord, field, body, nowhere
  }

  /// The rank of an item that has no word.
  package var worst: Int { words.count * Place.nowhere.rawValue + Place.nowhere.rawValue * phraseWeight }

  /// A word more or less never outweighs the phrase.
  private var phraseWeight: Int { phrase == nil ? 0 : words.count * Place.nowhere.rawValue + 1 }

  /// Returns the rank of an item; the best one is 0. `text` is scratch space.
  package func rank(of fields: ItemFields, _ searched: SearchedText, _ text: inout FoldedText) -> Int {
    text.reset()
    searched.append(fields, to: &text)
    return text.withBytes(rank)
  }

  /// Returns the rank of a text that `SearchedText` made. Linear for each word.
  package func rank(inFolded text: UnsafeRawBufferPointer) -> Int {
    let nameEnd = FoldedText.end(at: FoldedText.partEnd, in: text, from: 0)
    lazy var bodyStart = FoldedText.end(at: FoldedText.partEnd, in: text, from: nameEnd + 1)
    let names = UnsafeRawBufferPointer(rebasing: text[..<nameEnd])
    var worst = 0
    for word in words {
      var place = SearchRanking.place(of: word, inNames: names)
      if place == .nowhere, let end = word.end(inFolded: text, from: min(nameEnd, text.count)) {
        place = end <= bodyStart ? .field : .body
      }
      worst += place.rawValue
    }
    guard let phrase else { return worst }
    return SearchRanking.place(of: phrase, inNames: names).rawValue * phraseWeight + worst
  }

  /// The number of places that are compared in the names of one item.
  private static let maxPlaces = 256

  private static func place(of word: FoldedPattern, inNames names: UnsafeRawBufferPointer) -> Place {
    var best = Place.nowhere
    var start = 0
    for _ in 0..<maxPlaces {
      guard let end = word.end(inFolded: names, from: start) else { break }
      start = end - word.bytes.count
      let place = place(of: start..<end, inNames: names)
      if place == .name { return place }
      if place.rawValue < best.rawValue { best = place }
      start += 1
    }
    return best
  }

  private static func place(of range: Range<Int>, inNames names: UnsafeRawBufferPointer) -> Place {
    let before = range.lowerBound == 0 ? FoldedText.stringEnd : names[range.lowerBound - 1]
    // The file's name is a name, too: `ada` of `friends/ada`.
    if before == FoldedText.stringEnd || before == UInt8(ascii: "/") {
      return names[range.upperBound] == FoldedText.stringEnd ? .name : .nameStart
    }
    return isPartOfWord(before) ? .insideWord : .wordStart
  }

  private static func isPartOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: true
    default: false
    }
  }
}

extension ItemSortDescriptor {
  /// Sorts by how well an item matches the search: the best matches come first.
  package static let relevance = ItemSortDescriptor(FieldPath(keys: ["@relevance"]))

  package var isRelevance: Bool { path == ItemSortDescriptor.relevance.path }
}

extension FetchRequest {
  /// True if the items that match the search best come first. The other sort descriptors break ties, and
  /// decide alone while there is no search.
  package var sortsByRelevance: Bool {
    get { sort.first?.isRelevance ?? false }
    set { sort = (newValue ? [.relevance] : []) + ownSort }
  }

  /// The sort descriptors without that of relevance.
  package var ownSort: [ItemSortDescriptor] { sort.filter { !$0.isRelevance } }

  /// True if the request has a search.
  package var searches: Bool { query?.isEmpty == false || search.contains { !$0.isWhitespace } }

  /// The search as it was written. Setting it makes a query of a text that a person typed.
  package var typedSearch: String {
    get { query?.text ?? search }
    set {
      search = ""
      query = newValue.contains { !$0.isWhitespace } ? SearchQuery(typed: newValue) : nil
    }
  }

  /// The request without similar names: the query as it was typed.
  package var exact: FetchRequest {
    guard showsSimilarNames else { return self }
    var request = self
    request.typedSearch = typedSearch
    return request
  }

  /// True if the query is the fuzzy variant of what was typed.
  package var showsSimilarNames: Bool {
    query.map { $0.fuzzy == $0 && $0 != SearchQuery(typed: $0.text) } ?? false
  }

  /// The words and phrases of the search that are looked for in complete items.
  package var searchTerms: [String] {
    search.split(whereSeparator: \.isWhitespace).map(String.init)
      + (query?.terms ?? []).filter { $0.field == nil }.map(\.text)
  }
}
