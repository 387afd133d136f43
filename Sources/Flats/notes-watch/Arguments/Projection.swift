import Store
import Streams

/// One value that a path of a view can print: a value of the item, or the result of an operator.
struct Projection {
  private let listOperator: ListOperator?
  private let value: Value?
  /// False for the file's value at the same keys; true with an operator or an element number.
  let isComputed: Bool
  /// True for the item itself, which is not printed at a path, nor is an operator of it.
  private let isRoot: Bool

  private static let maxCount = 16

  init(root: Fields) { self.init(nil, .map(root), isComputed: false, isRoot: true) }

  private init(_ listOperator: ListOperator?, _ value: Value?, isComputed: Bool, isRoot: Bool = false) {
    self.listOperator = listOperator
    self.value = value
    self.isComputed = isComputed
    self.isRoot = isRoot
  }

  private var shown: Value? {
    guard let listOperator else { return value }
    return isRoot ? nil : listOperator.apply(to: value)
  }

  /// True if the path leads to something: an operator, or values that are there.
  var isOfAnything: Bool {
    if listOperator != nil { return true }
    if case .list(let elements)? = value { return !elements.isEmpty }
    return value != nil
  }

  /// All that paths may print one step further: a key of a map or of each element, an element, an operator.
  static func step(_ projections: [Projection], to key: String) -> [Projection] {
    step(projections, to: key) { projections[$0].value?.value(at: [key]) }
  }

  private static func step(_ projections: [Projection], to key: String, _ valueOf: (Int) -> Value?)
    -> [Projection]
  {
    var next: [Projection] = []
    for (number, projection) in projections.enumerated() {
      var found = [Projection(projection.listOperator, valueOf(number), isComputed: projection.isComputed)]
      // Only keys follow an operator.
      if !projection.isRoot, projection.listOperator == nil {
        found += places(in: projection.value, key).map { Projection(nil, $0, isComputed: true) }
      }
      if projection.listOperator == nil, let listOperator = ListOperator(rawValue: key) {
        found.append(Projection(listOperator, projection.value, isComputed: true, isRoot: projection.isRoot))
      }
      for projection in found where next.count < maxCount {
        let isKnown = next.contains {
          $0.listOperator == projection.listOperator && $0.value == projection.value
            && $0.isComputed == projection.isComputed
        }
        if !isKnown { next.append(projection) }
      }
    }
    return next
  }

  /// Steps to many keys, in constant time for each key of a map.
  struct Steps {
    private let projections: [Projection]
    private var places: [FieldIndex?]

    init(_ projections: [Projection]) {
      self.projections = projections
      places = projections.map { if case .map(let fields)? = $0.value { FieldIndex(fields) } else { nil } }
    }

    /// - Parameter hint: The position of the key in a map that is tried first.
    mutating func step(to key: String, near hint: Int) -> [Projection] {
      Projection.step(projections, to: key) { number in
        let value = projections[number].value
        guard case .map(let fields)? = value else { return value?.value(at: [key]) }
        return places[number]?.place(of: key, near: hint).map { fields[$0].value }
      }
    }
  }

  /// The element that a key names, such as `LAST` or `0`; an operator counts a missing one (nil) as 0.
  private static func places(in value: Value?, _ key: String) -> [Value?] {
    if key == "SIZE" { return [.integer(ListOperator.count(value))] }
    let elements = if case .list(let elements)? = value { elements } else { [Value]() }
    switch (key, Int(elementNumber: key)) {
    case ("FIRST", _): return [elements.first]
    case ("LAST", _): return [elements.last]
    case (_, let number?): return [elements.indices.contains(number) ? elements[number] : nil]
    case (_, nil): return []
    }
  }

  /// Returns true if one of them, or several paths of one view together, print a value of the line.
  static func show(_ projections: [Projection], _ listed: Value) -> Bool {
    if projections.contains(where: { $0.shown?.isListed(as: listed) ?? false }) { return true }
    guard case .map(let fields) = listed, !fields.isEmpty else { return false }
    var steps = Steps(projections)
    return fields.enumerated().allSatisfy { show(steps.step(to: $1.key, near: $0), $1.value) }
  }
}
