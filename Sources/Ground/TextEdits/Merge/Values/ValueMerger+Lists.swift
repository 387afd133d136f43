import Values

extension ValueMerger {
  /// Merges two lists. Returns nil if they are in conflict.
  mutating func mergeLists(_ base: [Value]?, _ ours: [Value], _ theirs: [Value], _ rule: MergeRules.Rule?)
    -> Value?
  {
    let old = base ?? []
    switch rule {
    case .union?:
      if let merged = ValueMerger.mergeUnion(old, ours, theirs) { return decide(.list(merged)) }
    case .set?:
      if let merged = ValueMerger.mergeSets(old, ours, theirs) { return decide(.list(merged)) }
    case .keyed(let key)?:
      if let old = KeyedList(old, by: key), let own = KeyedList(ours, by: key),
        let other = KeyedList(theirs, by: key)
      {
        return mergeKeyed(old, own, other)
      }
    default: break
    }
    return mergeOrdered(old, ours, theirs)
  }

  /// Returns our elements, then those of theirs with other values, each once. Nil if both sides
  /// changed how an element's number is written.
  private static func mergeUnion(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let old = elements(base)
    let other = elements(theirs)
    guard let merged = written(ours, old, other) else { return nil }
    var known = Set(ours.map(ValueKey.init))
    return merged + theirs.filter { known.insert(ValueKey($0)).inserted }
  }

  /// Merges lists as sets: our order, then the elements that they added. Returns nil if a list has
  /// duplicates.
  private static func mergeSets(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let sets = (base: elements(base), ours: elements(ours), theirs: elements(theirs))
    guard sets.base.count == base.count, sets.ours.count == ours.count, sets.theirs.count == theirs.count
    else { return nil }
    let kept = ours.filter { sets.theirs[ValueKey($0)] != nil || sets.base[ValueKey($0)] == nil }
    guard let merged = written(kept, sets.base, sets.theirs) else { return nil }
    return merged + theirs.filter { sets.ours[ValueKey($0)] == nil && sets.base[ValueKey($0)] == nil }
  }

  private static func elements(_ list: [Value]) -> [ValueKey: Value] {
    Dictionary(list.map { (ValueKey($0), $0) }) { first, _ in first }
  }

  /// Returns our elements, each as the side wrote it that changed how its numbers are written. Nil
  /// if both sides did so in different ways.
  private static func written(_ ours: [Value], _ base: [ValueKey: Value], _ theirs: [ValueKey: Value])
    -> [Value]?
  {
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

  /// Merges the elements in order. If both sides changed as many maps as there were, these are
  /// merged one by one, provided that they are certainly the same elements. Otherwise the list is
  /// in conflict.
  private mutating func mergeOrdered(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> Value? {
    let known = (conflicts: conflicts.count, decisions: decisions.count)
    guard let merged = orderedElements(base, ours, theirs),
      ValueMerger.keepsElements(merged, base, ours, theirs),
      ElementIdentity.isUnambiguous(merged, after: base, ours, theirs)
    else {
      // The complete list is in conflict, with everything in it.
      discard(conflictsFrom: known.conflicts, decisionsFrom: known.decisions)
      return nil
    }
    return .list(merged)
  }

  /// Returns false if an element that exactly one side added is missing, or if an element that
  /// exactly one side removed is present, for example because the other side moved it.
  private static func keepsElements(
    _ merged: [Value], _ base: [Value], _ ours: [Value], _ theirs: [Value]
  ) -> Bool {
    var counts: [Value: (versions: Versions<Int>, merged: Int)] = [:]
    let none = (versions: Versions(0, 0, 0), merged: 0)
    for element in base { counts[element, default: none].versions.base += 1 }
    for element in ours { counts[element, default: none].versions.ours += 1 }
    for element in theirs { counts[element, default: none].versions.theirs += 1 }
    for element in merged { counts[element, default: none].merged += 1 }
    return counts.values.allSatisfy { count, merged in
      // A new element may have been merged with another version of itself.
      if count.base == 0 { return true }
      if count.ours == count.base { return merged == count.theirs }
      return count.theirs != count.base || merged == count.ours
    }
  }

  private mutating func orderedElements(_ base: [Value], _ ours: [Value], _ theirs: [Value]) -> [Value]? {
    let identity = ElementIdentity(base: base, ours: ours, theirs: theirs)
    var merged: [Value] = []
    for chunk in SequenceMerge(base: base, ours: ours, theirs: theirs).chunks {
      switch chunk {
      case .settled(let elements): merged += elements
      case .open(let old, let own, let other):
        let isSameShape = old.count == own.count && old.count == other.count
        guard isSameShape, (old + own + other).allSatisfy({ $0.fields != nil }),
          old.indices.allSatisfy({ identity.isSameElement(old[$0], own[$0], other[$0]) })
        else { return nil }
        for index in old.indices {
          let versions = Versions<Value?>(old[index], own[index], other[index])
          let step = Step(
            element: merged.count, ours: identity.place(inOurs: own[index]),
            theirs: identity.place(inTheirs: other[index]))
          if let value = merge(versions, at: step) { merged.append(value) }
        }
      }
    }
    return merged
  }
}

// MARK: Lists with keys

/// A list of maps that are identified by one of their fields.
private struct KeyedList {
  /// The values of that field, in order.
  let names: [ValueKey]
  let elements: [ValueKey: Value]

  /// Returns nil if an element is not a map or does not have the field, or if two elements have the
  /// same value.
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

  var places: [ValueKey: Int] {
    Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, $0.offset) })
  }
}

extension ValueMerger {
  /// Merges two lists by key. Returns nil if both sides changed the order.
  private mutating func mergeKeyed(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> Value? {
    guard let order = ValueMerger.order(base, ours, theirs) else { return nil }
    let places = (ours: ours.places, theirs: theirs.places)
    var merged: [Value] = []
    for name in order {
      let versions = Versions<Value?>(base.elements[name], ours.elements[name], theirs.elements[name])
      let step = Step(element: merged.count, ours: places.ours[name] ?? 0, theirs: places.theirs[name] ?? 0)
      if let value = merge(versions, at: step) { merged.append(value) }
    }
    return .list(merged)
  }

  /// Returns the order of all elements, including those that one side removed. Nil if both sides
  /// changed the order.
  private static func order(_ base: KeyedList, _ ours: KeyedList, _ theirs: KeyedList) -> [ValueKey]? {
    func common(_ list: KeyedList) -> [ValueKey] {
      list.names.filter { base.elements[$0] != nil && ours.elements[$0] != nil && theirs.elements[$0] != nil }
    }
    let orders = (base: common(base), ours: common(ours), theirs: common(theirs))
    if orders.theirs == orders.base || orders.theirs == orders.ours {
      return interleaved(ours.names, with: theirs.names)
    }
    if orders.ours == orders.base { return interleaved(theirs.names, with: ours.names) }
    return nil
  }

  /// Returns the first list with the missing elements of the second one, each after the element
  /// that it follows there.
  private static func interleaved(_ first: [ValueKey], with second: [ValueKey]) -> [ValueKey] {
    let known = Set(first)
    var front: [ValueKey] = []
    var followers: [ValueKey: [ValueKey]] = [:]
    var last: ValueKey?
    for name in second {
      if known.contains(name) {
        last = name
      } else if let last {
        followers[last, default: []].append(name)
      } else {
        front.append(name)
      }
    }
    return front + first.flatMap { [$0] + (followers[$0] ?? []) }
  }
}
