/// A difference by Heckel's algorithm (1978), as DifferenceKit computes it: one table of all old
/// identifiers, with more moves than necessary.
///
/// It is the yardstick instead of DifferenceKit, so that the benchmark has no dependency. It does
/// less than DifferenceKit: no sections, no duplicates, no comparison of contents.
struct Heckel {
  var deletes: [Int] = []
  var inserts: [Int] = []
  var moves: [(from: Int, to: Int)] = []

  init<ID: Hashable>(from old: [ID], to new: [ID]) {
    var places = [ID: Int](minimumCapacity: old.count)
    for (place, id) in old.enumerated() { places[id] = place }
    var targets = [Int?](repeating: nil, count: old.count)
    var origins = [Int?](repeating: nil, count: new.count)
    for (place, id) in new.enumerated() {
      guard let origin = places[id] else { continue }
      targets[origin] = place
      origins[place] = origin
    }

    var isDone = [Bool](repeating: false, count: old.count)
    var deletedBefore = [Int](repeating: 0, count: old.count)
    for place in old.indices {
      deletedBefore[place] = deletes.count
      if targets[place] == nil {
        deletes.append(place)
        isDone[place] = true
      }
    }
    // The first old item that stays and is not listed yet. An item that is not this one has moved.
    var next = 0
    for place in new.indices {
      while next < old.count, isDone[next] { next += 1 }
      guard let origin = origins[place] else {
        inserts.append(place)
        continue
      }
      isDone[origin] = true
      if origin != next { moves.append((origin - deletedBefore[origin], place)) }
    }
  }
}
