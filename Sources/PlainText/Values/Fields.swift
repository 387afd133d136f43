/// A map with string keys in the order of the file. Keys are unique and compared byte for byte.
///
/// Look-up is linear: items have few fields, and a scan over a handful of keys beats hashing them.
public struct Fields: Sendable {
  /// Unique keys with their values.
  package private(set) var pairs: [(key: String, value: Value)]

  public init() {
    pairs = []
  }

  /// The caller vouches that no key stands twice.
  package init(unique pairs: [(key: String, value: Value)]) {
    self.pairs = pairs
  }

  /// The value of `key`. Setting it keeps the key's place, or appends; setting nil removes it.
  public subscript(key: String) -> Value? {
    get { pairs.first { $0.key.hasSameBytes(as: key) }?.value }
    set {
      let index = pairs.firstIndex { $0.key.hasSameBytes(as: key) }
      switch (index, newValue) {
      case (let index?, let value?): pairs[index].value = value
      case (let index?, nil): pairs.remove(at: index)
      case (nil, let value?): pairs.append((key, value))
      case (nil, nil): break
      }
    }
  }

  /// Adds a key that is known not to be there.
  package mutating func append(_ value: Value, unique key: String) {
    pairs.append((key, value))
  }

  /// These fields with those of `other` put in their places, or appended. Linear.
  package func merging(_ other: Fields) -> Fields {
    if isEmpty { return other }
    var index = FieldIndex(self)
    var merged = self
    for (place, pair) in other.pairs.enumerated() {
      if let place = index.place(of: pair.key, near: place) {
        merged.pairs[place].value = pair.value
      } else {
        merged.pairs.append(pair)
      }
    }
    return merged
  }

  public var keys: some Sequence<String> { pairs.lazy.map(\.key) }
}

extension Fields: RandomAccessCollection {
  public var startIndex: Int { pairs.startIndex }
  public var endIndex: Int { pairs.endIndex }
  public subscript(position: Int) -> (key: String, value: Value) { pairs[position] }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Of equal keys the last value stands.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension Fields: Hashable {
  /// Whatever the order of the keys. Linear: no value is compared twice.
  public static func == (a: Fields, b: Fields) -> Bool {
    guard a.count == b.count else { return false }
    var keys = FieldIndex(b)
    for (place, pair) in a.pairs.enumerated() {
      guard let other = keys.place(of: pair.key, near: place), pair.value == b.pairs[other].value else { return false }
    }
    return true
  }

  public func hash(into hasher: inout Hasher) {
    var sum = 0
    for (key, value) in pairs {
      var own = Hasher()
      key.hashBytes(into: &own)
      own.combine(value)
      sum &+= own.finalize()
    }
    hasher.combine(sum)
  }
}
