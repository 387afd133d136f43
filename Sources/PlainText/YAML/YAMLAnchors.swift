/// The anchored values of a document, by name, and where their packed bytes lie.
struct YAMLAnchors {
  /// Packed bytes: in the builder, or set aside where the builder cannot keep them (keys, and maps written out under a merge key).
  struct Place {
    var range: Range<Int>
    var isAside = false
  }

  struct Anchor {
    var place: Place
    /// Of a scalar, its text as written, set aside: what it is as a key.
    var text: Range<Int>?
    /// Levels of lists and maps in the value: 0 for a scalar.
    var height: Int
    /// Its value has not ended yet.
    var isOpen: Bool
  }

  private(set) var all: [Anchor] = []
  private(set) var aside: [UInt8] = []
  private var indices: [[UInt8]: Int] = [:]

  mutating func reset() {
    guard !all.isEmpty || !aside.isEmpty else { return }
    // Few files have any, so there is no room to keep.
    self = YAMLAnchors()
  }

  /// A later anchor of the same name hides an earlier one, as YAML says.
  mutating func open(_ name: UnsafeRawBufferPointer, at start: Int) -> Int {
    all.append(Anchor(place: Place(range: start..<start), text: nil, height: 0, isOpen: true))
    indices[Array(name)] = all.count - 1
    return all.count - 1
  }

  mutating func close(_ index: Int, at end: Int, height: Int) {
    all[index].place.range = all[index].place.range.lowerBound..<end
    all[index].height = height
    all[index].isOpen = false
  }

  /// A scalar, all at once.
  mutating func define(_ name: UnsafeRawBufferPointer, _ place: Place, text: UnsafeRawBufferPointer) {
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

  /// The end of the builder's bytes, from `start` on, was set aside at `target`: so were the values that lie in it, of the anchors from `first` on.
  mutating func relocate(from first: Int, _ start: Int, to target: Int) {
    for index in first..<all.count where !all[index].place.isAside {
      let range = all[index].place.range
      all[index].place = Place(range: range.lowerBound - start + target..<range.upperBound - start + target, isAside: true)
    }
  }
}
