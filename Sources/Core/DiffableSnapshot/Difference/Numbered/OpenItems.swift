/// The shown items of one side that may not match the other side, section by section, numbered by
/// offsets.
struct OpenItems {
  /// Items that are contiguous in both `items` and their section.
  struct Stretch {
    /// The offset of the first item.
    var offset: Int
    /// The spot of the first item.
    var spot: NumberedDiff.Spot
  }

  private(set) var items: [UInt32] = []
  private(set) var stretches: [Stretch] = []
  private var end: NumberedDiff.Spot?

  /// Adds the shown items of a leaf. `spot` is that of the first one. The leaves of a section must
  /// be added in order.
  mutating func add(_ leaf: borrowing Node, at spot: NumberedDiff.Spot) {
    if leaf.shown == 0 { return }
    if end != spot { stretches.append(Stretch(offset: items.count, spot: spot)) }
    if leaf.counts.shownItems == leaf.counts.items {
      items += leaf.items
    } else {
      var rest = leaf.shown
      while rest != 0 {
        items.append(leaf.items[rest.trailingZeroBitCount])
        rest &= rest - 1
      }
    }
    end = spot.advanced(by: leaf.counts.items(.shown))
  }

  /// Returns the offsets of a stretch.
  func offsets(ofStretch place: Int) -> Range<Int> {
    stretches[place].offset..<(place + 1 < stretches.count ? stretches[place + 1].offset : items.count)
  }

  /// The spot of each item.
  var spots: [NumberedDiff.Spot] {
    var spots: [NumberedDiff.Spot] = []
    spots.reserveCapacity(items.count)
    for (place, stretch) in stretches.enumerated() {
      var spot = stretch.spot
      for _ in offsets(ofStretch: place) {
        spots.append(spot)
        spot.advance()
      }
    }
    return spots
  }

  /// Returns the spot of the item at an offset.
  ///
  /// - Parameters:
  ///   - offset: The offset of the item.
  ///   - hint: The stretch to try first. Set to the stretch of the item.
  func spot(ofOffset offset: Int, _ hint: inout Int) -> NumberedDiff.Spot {
    if !stretches.indices.contains(hint) || !offsets(ofStretch: hint).contains(offset) {
      hint = stretches.indices.last(upTo: { stretches[$0].offset <= offset })
    }
    return stretches[hint].spot.advanced(by: offset - stretches[hint].offset)
  }

  /// Returns the offset of the item at a spot, or nil if it is not open.
  ///
  /// - Parameters:
  ///   - spot: The spot of the item.
  ///   - places: The stretches of its section.
  func offset(ofSpot spot: NumberedDiff.Spot, in places: Range<Int>) -> Int? {
    if places.isEmpty { return nil }
    let place = places.last(upTo: { stretches[$0].spot <= spot })
    let offset = stretches[place].offset + spot.index - stretches[place].spot.index
    return offsets(ofStretch: place).contains(offset) ? offset : nil
  }
}

extension Range<Int> {
  /// Returns the last number for which `holds` is true, by bisection, or the first number if it
  /// holds for none. The range must not be empty.
  fileprivate func last(upTo holds: (Int) -> Bool) -> Int {
    var low = lowerBound
    var high = upperBound
    while high - low > 1 {
      let middle = (low + high) / 2
      if holds(middle) { low = middle } else { high = middle }
    }
    return low
  }
}
