import Values

/// The elements of a list in another order. Each keeps its bytes and its comments.
struct ListRearrangement {
  private let places: [Int]

  /// Compares two lists. Returns nil if the second one is not a permutation of the first.
  init?(_ old: Value?, _ new: Value) {
    guard case .list(let old)? = old, case .list(let new) = new, old.count == new.count, old != new else {
      return nil
    }
    var known: [Value: [Int]] = [:]
    for (place, element) in old.enumerated().reversed() { known[element, default: []].append(place) }
    var places: [Int] = []
    for element in new {
      guard let place = known[element]?.popLast() else { return nil }
      places.append(place)
    }
    self.places = places
  }

  func splices(_ ranges: [Range<Int>], _ layout: TextLayout) -> [Splice]? {
    guard ranges.count == places.count else { return nil }
    return zip(ranges, places).filter { $0 != ranges[$1] }.map { Splice($0, layout.text(ranges[$1])) }
  }

  /// Returns the splices for a list in brackets, where a comment follows the comma of its element.
  func splices(ofBrackets list: LocatedValue, _ layout: TextLayout, hasComments: Bool) -> [Splice]? {
    let items = list.itemRanges
    guard items.count == places.count else { return nil }
    let ends = items.enumerated().map { index, item -> Range<Int>? in
      let limit = index + 1 < items.count ? items[index + 1].lowerBound : list.range.upperBound - 1
      let blanks = layout.skipBlanks(from: item.upperBound)
      let comma = layout.bytes[blanks] == UInt8(ascii: ",") ? blanks + 1 : item.upperBound
      // Up to the end of the line only: the line may contain all other elements.
      guard hasComments,
        let end = (comma...max(comma, limit)).first(where: { layout.breakLength(at: $0) > 0 })
      else { return nil }
      return comma..<end
    }
    var splices: [Splice] = []
    for (index, place) in places.enumerated() where index != place {
      splices.append(Splice(items[index], layout.text(items[place])))
      let comment = ends[place].map { layout.text($0) } ?? ""
      if let range = ends[index] {
        splices.append(Splice(range, comment))
      } else if comment.utf8.contains(UInt8(ascii: "#")) {
        return nil
      }
    }
    return splices
  }
}
