extension ValueMerger {
  /// Nil where the lists cannot be merged.
  mutating func mergeLists(_ three: Three, _ base: [Value]?, _ ours: [Value], _ theirs: [Value], _ rule: MergeRules.Rule?) -> Value? {
    let old = base ?? []
    switch rule {
    case .union?: if let merged = ValueMerger.mergeUnion(old, ours, theirs) { return .list(merged) }
    case .set?:
      if let merged = ValueMerger.mergeSets(old, ours, theirs) { return .list(merged) }
    case .keyed(let key)?:
      if let old = KeyedList(old, by: key), let own = KeyedList(ours, by: key), let other = KeyedList(theirs, by: key) {
        return mergeKeyed(old, own, other)
      }
    default: break
    }
    return mergeOrdered(old, ours, theirs)
  }

  /// All elements of ours, then those of theirs that have another value, each once. Returns nil if both sides wrote an element's number anew.
  private static func mergeUnion(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let old = elements(base)
    let other = elements(theirs)
    guard let merged = written(ours, old, other) else { return nil }
    var known = Set(ours.map(ValueKey.init))
    return merged + theirs.filter { known.insert(ValueKey($0)).inserted }
  }

  /// Nil where something stands twice. In our order; what they added comes behind.
  private static func mergeSets(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let sets = (base: elements(base), ours: elements(ours), theirs: elements(theirs))
    guard sets.base.count == base.count, sets.ours.count == ours.count, sets.theirs.count == theirs.count else { return nil }
    let kept = ours.filter { sets.theirs[ValueKey($0)] != nil || sets.base[ValueKey($0)] == nil }
    guard let merged = written(kept, sets.base, sets.theirs) else { return nil }
    return merged + theirs.filter { sets.ours[ValueKey($0)] == nil && sets.base[ValueKey($0)] == nil }
  }

  private static func elements(_ list: [Value]) -> [ValueKey: Value] {
    Dictionary(list.map { (ValueKey($0), $0) }) { first, _ in first }
  }

  /// Our elements, each as the side wrote it that changed only how its numbers are written. Returns nil if both sides did, differently.
  private static func written(_ ours: [Value], _ base: [ValueKey: Value], _ theirs: [ValueKey: Value]) -> [Value]? {
    var merged: [Value] = []
    for own in ours {
      let key = ValueKey(own)
      guard let other = theirs[key], other != own, base[key] != other else {
        merged.append(own)
        continue
      }
      guard base[key] == own else { return nil }
      merged.append(other)
    }
    return merged
  }

  /// Elements in order. Where both sides changed as many maps as there were, these are merged one by one, but only where it is certain that they are the same ones:
  /// by its number alone an element is not known any more when a side has moved or replaced some.
  private mutating func mergeOrdered(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> Value? {
    let known = conflicts.count
    let identity = ElementIdentity(base, ours, theirs)
    var merged: [Value] = []
    for chunk in SequenceMerge(base: base, ours: ours, theirs: theirs).chunks {
      switch chunk {
      case .settled(let elements): merged += elements
      case .open(let old, let own, let other):
        let isSameShape = old.count == own.count && old.count == other.count
        guard isSameShape, (old + own + other).allSatisfy({ $0.fields != nil }),
          old.indices.allSatisfy({ identity.isOne(old[$0], own[$0], other[$0]) })
        else {
          // The list as a whole is in conflict, and what was noted within it is part of that.
          forgetConflicts(from: known)
          return nil
        }
        for index in old.indices {
          let three = Three(old[index], own[index], other[index])
          if let value = merge(three, at: String(merged.count), named: nil) { merged.append(value) }
        }
      }
    }
    return .list(merged)
  }
}

/// Tells whether three maps of three versions of a list are the same element: where one field that nobody changed names it in each version, as an id does.
private struct ElementIdentity {
  private struct Named: Hashable {
    let key: String
    let value: Value
  }

  /// How many elements of a version have a field of that value.
  private let counts: [[Named: Int]]

  init(_ versions: [Value]...) {
    counts = versions.map { elements in
      var counts: [Named: Int] = [:]
      for field in elements.flatMap({ $0.fields.map(Array.init) ?? [] }) {
        if let name = ElementIdentity.name(field.key, field.value) { counts[name, default: 0] += 1 }
      }
      return counts
    }
  }

  /// Also where only one side changed it, or both did the same: then nothing is merged into it.
  func isOne(_ old: Value, _ own: Value, _ other: Value) -> Bool {
    if own == old || other == old || own == other { return true }
    return old.fields?.contains { field in
      guard let name = ElementIdentity.name(field.key, field.value), own[field.key] == field.value, other[field.key] == field.value else {
        return false
      }
      return counts.allSatisfy { $0[name] == 1 }
    } ?? false
  }

  private static func name(_ key: String, _ value: Value) -> Named? {
    switch value {
    case .number, .string, .date: Named(key: key, value: value)
    default: nil
    }
  }
}

// MARK: Lists with keys

/// A list of maps that are told apart by one of their fields.
private struct KeyedList {
  /// In their order.
  let names: [ValueKey]
  let elements: [ValueKey: Value]

  /// Nil where an element is no map or has no such field, or two have the same.
  init?(_ list: [Value], by key: String) {
    var elements: [ValueKey: Value] = [:]
    var names: [ValueKey] = []
    for element in list {
      guard let value = element[key], value.isScalar else { return nil }
      let name = ValueKey(value)
      guard elements.updateValue(element, forKey: name) == nil else { return nil }
      names.append(name)
    }
    self.names = names
    self.elements = elements
  }
}

extension ValueMerger {
  /// Nil where both sides changed the order.
  private mutating func mergeKeyed(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> Value? {
    guard let order = ValueMerger.order(base, ours, theirs) else { return nil }
    var merged: [Value] = []
    for name in order {
      let three = Three(base.elements[name], ours.elements[name], theirs.elements[name])
      if let value = merge(three, at: String(merged.count), named: nil) { merged.append(value) }
    }
    return .list(merged)
  }

  /// Of all elements, those among them that one side took out.
  private static func order(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> [ValueKey]? {
    func common(_ list: KeyedList) -> [ValueKey] {
      list.names.filter { base.elements[$0] != nil && ours.elements[$0] != nil && theirs.elements[$0] != nil }
    }
    let orders = (base: common(base), ours: common(ours), theirs: common(theirs))
    if orders.theirs == orders.base || orders.theirs == orders.ours { return woven(ours.names, with: theirs.names) }
    if orders.ours == orders.base { return woven(theirs.names, with: ours.names) }
    return nil
  }

  /// The first list, and each of the second that is missing there behind the one that it stands behind.
  private static func woven(_ first: [ValueKey], with second: [ValueKey]) -> [ValueKey] {
    let known = Set(first)
    var front: [ValueKey] = []
    var behind: [ValueKey: [ValueKey]] = [:]
    var last: ValueKey?
    for name in second {
      if known.contains(name) {
        last = name
      } else if let last {
        behind[last, default: []].append(name)
      } else {
        front.append(name)
      }
    }
    return front + first.flatMap { [$0] + (behind[$0] ?? []) }
  }
}
