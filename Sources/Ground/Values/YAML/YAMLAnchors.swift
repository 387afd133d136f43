/// The anchored values of one document, by name, with the place of their packed bytes.
struct YAMLAnchors {
  /// Packed bytes in the builder, or in `aside`: keys, and maps that `<<` merges.
  struct Location {
    var range: Range<Int>
    var isAside = false
  }

  struct Anchor {
    var place: Location
    /// The text of a scalar in `aside`, which is used if an alias to it is a key.
    var text: Range<Int>?
    /// The number of levels of lists and maps in the value: 0 for a scalar.
    var height: Int
    var isOpen: Bool
  }

  private(set) var all: [Anchor] = []
  private(set) var aside: [UInt8] = []
  private var indices: [[UInt8]: Int] = [:]

  mutating func reset() {
    guard !all.isEmpty || !aside.isEmpty else { return }
    // Few files have anchors, so there is no capacity worth keeping.
    self = YAMLAnchors()
  }

  /// Begins an anchored value. A later anchor of a name replaces an earlier one.
  mutating func open(_ name: UnsafeRawBufferPointer, at start: Int) -> Int {
    all.append(Anchor(place: Location(range: start..<start), text: nil, height: 0, isOpen: true))
    indices[Array(name)] = all.count - 1
    return all.count - 1
  }

  mutating func close(_ index: Int, at end: Int, height: Int) {
    all[index].place.range = all[index].place.range.lowerBound..<end
    all[index].height = height
    all[index].isOpen = false
  }

  mutating func define(_ name: UnsafeRawBufferPointer, _ place: Location, text: UnsafeRawBufferPointer) {
    let index = open(name, at: place.range.lowerBound)
    close(index, at: place.range.upperBound, height: 0)
    all[index].place = place
    all[index].text = setAside(text)
  }

  func find(_ name: UnsafeRawBufferPointer) -> Anchor? { indices[Array(name)].map { all[$0] } }

  mutating func setAside(_ bytes: UnsafeRawBufferPointer) -> Range<Int> {
    aside.append(contentsOf: bytes)
    return aside.count - bytes.count..<aside.count
  }

  /// Moves the anchors from `first` on with the builder's bytes from `start` on.
  mutating func relocate(from first: Int, _ start: Int, to target: Int) {
    for index in first..<all.count where !all[index].place.isAside {
      let range = all[index].place.range
      all[index].place = Location(
        range: range.lowerBound - start + target..<range.upperBound - start + target, isAside: true)
    }
  }
}
