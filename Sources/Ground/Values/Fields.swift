/// A map with string keys, in the order of the file. Keys are unique and compared by bytes.
///
/// Access by key is linear. Items have few fields, and scanning a few keys is faster than hashing them.
public struct Fields: Sendable {
  package private(set) var pairs: [(key: String, value: Value)]

  /// Creates an empty map.
  public init() {
    pairs = []
  }

  package init(unique pairs: [(key: String, value: Value)]) {
    self.pairs = pairs
  }

  /// The value of a key; nil if there is none. Linear. Setting a value keeps the position of an existing key
  /// and appends a new one. Setting nil removes the key.
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

  package mutating func append(_ value: Value, unique key: String) {
    pairs.append((key, value))
  }

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

  package func commonCount(with other: Fields) -> Int {
    var index = FieldIndex(other)
    return pairs.enumerated().count { index.value(of: $1.key, near: $0) == $1.value }
  }

  /// The keys in order.
  public var keys: some Sequence<String> { pairs.lazy.map(\.key) }
}

extension Fields: RandomAccessCollection {
  /// The position of the first field, 0.
  public var startIndex: Int { pairs.startIndex }
  /// The number of fields.
  public var endIndex: Int { pairs.endIndex }
  /// The key and the value at a position.
  public subscript(position: Int) -> (key: String, value: Value) { pairs[position] }
}

extension Fields: ExpressibleByDictionaryLiteral {
  /// Creates a map. The last value of a repeated key wins.
  public init(dictionaryLiteral elements: (String, Value)...) {
    self.init()
    for (key, value) in elements { self[key] = value }
  }
}

extension Fields: Hashable {
  /// Compares the values of all keys, in any order. Linear.
  public static func == (a: Fields, b: Fields) -> Bool {
    guard a.count == b.count else { return false }
    var keys = FieldIndex(b)
    return a.pairs.enumerated().allSatisfy { keys.value(of: $1.key, near: $0) == $1.value }
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

extension Fields: CustomStringConvertible {
  /// The fields as a JSON object.
  public var description: String { Value.map(self).description }
}

/// Finds the positions of many keys in one map: one comparison per key at its expected position; after the
/// first that is elsewhere, one lookup in a hash table.
package struct FieldIndex {
  private let fields: Fields
  private var places: [ExactString: Int]?

  package init(_ fields: Fields) {
    self.fields = fields
  }

  /// Returns the position of `key`, first trying `hint`; nil if the map does not have it.
  package mutating func place(of key: String, near hint: Int) -> Int? {
    if fields.indices.contains(hint), fields[hint].key.hasSameBytes(as: key) { return hint }
    if places == nil {
      places = Dictionary(
        fields.enumerated().map { (ExactString($1.key), $0) }, uniquingKeysWith: { first, _ in first })
    }
    return places?[ExactString(key)]
  }

  package mutating func value(of key: String, near hint: Int) -> Value? {
    place(of: key, near: hint).map { fields[$0].value }
  }
}

/// A string that equals only one of the same bytes. A `String` equals each canonically equivalent one, but
/// keys of a map, or names of files, may differ in nothing else.
package struct ExactString: Hashable {
  package let text: String

  package init(_ text: String) {
    self.text = text
  }

  package static func == (a: ExactString, b: ExactString) -> Bool { a.text.hasSameBytes(as: b.text) }
  package func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
}
