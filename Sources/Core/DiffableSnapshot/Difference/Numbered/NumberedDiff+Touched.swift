extension NumberedDiff {
  /// One side of an item. `gap` is the number of untouched items before it in its section.
  private struct ItemSide {
    var number: UInt32
    var section: UInt32
    var spot: Spot
    var gap = 0
    var place: Int
  }

  /// Computes the difference if the caller knows every item that may differ: their numbers in the old and
  /// the new index, nil where they are missing. O(k log n) for k items.
  @usableFromInline
  init(
    from old: OrderedIndex, to new: OrderedIndex, _ matching: Matching,
    touched: [(old: UInt32?, new: UInt32?)], mayMove: Set<UInt32>
  ) {
    self.init()
    let before = Self.sides(touched.map(\.old), of: old)
    let after = Self.sides(touched.map(\.new), of: new)
    var mayMove = mayMove
    for side in after { mayMove.insert(side.section) }
    var twins: [UInt32: UInt32?] = [:]
    for side in before where twins[side.section] == nil {
      let twin = matching.newSection(side.section)
      twins[side.section] = twin
      if let twin { mayMove.insert(twin) }
    }
    _ = compareSections(from: old, to: new, matching, mayMove: mayMove)

    var arrivals = [ItemSide?](repeating: nil, count: touched.count)
    for side in after { arrivals[side.place] = side }
    var inGaps: [Spot: [(old: ItemSide, new: ItemSide)]] = [:]
    for side in before {
      guard let arrival = arrivals[side.place] else {
        deletes.append((side.number, side.spot))
        continue
      }
      arrivals[side.place] = nil
      if twins[side.section] == arrival.section, side.gap == arrival.gap {
        inGaps[Spot(rank: arrival.spot.rank, index: arrival.gap), default: []].append((side, arrival))
      } else {
        moves.append((arrival.number, side.spot, arrival.spot))
      }
    }
    for case let side? in arrivals { inserts.append((side.number, side.spot)) }
    for survivors in inGaps.values { addMoves(survivors) }
    sort()
  }

  private static func sides(_ numbers: [UInt32?], of index: OrderedIndex) -> [ItemSide] {
    var sides: [ItemSide] = []
    for (place, number) in numbers.enumerated() {
      guard let number, case let location = index.locate(item: number), location.isShown else { continue }
      sides.append(ItemSide(number: number, section: location.section, spot: location.spot, place: place))
    }
    sides.sort { $0.spot < $1.spot }
    var first = 0
    for place in sides.indices {
      if sides[place].section != sides[first].section { first = place }
      sides[place].gap = sides[place].spot.index - (place - first)
    }
    return sides
  }

  /// Records the fewest possible moves for the items of one gap, which are in the old order.
  private mutating func addMoves(_ survivors: [(old: ItemSide, new: ItemSide)]) {
    let runs = survivors.map { Run(old: $0.old.spot.index, new: $0.new.spot.index, count: 1) }
    for (place, stays) in runs.staying().enumerated() where !stays {
      let survivor = survivors[place]
      moves.append((survivor.new.number, survivor.old.spot, survivor.new.spot))
    }
  }
}
