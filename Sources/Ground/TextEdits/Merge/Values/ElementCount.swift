import Values

/// Counts the elements of lists to check that a merge keeps what each side did to them.
enum ElementCount {
  private struct ElementCounts {
    var base = 0
    var ours = 0
    var theirs = 0
    var merged = 0
  }

  /// Returns false if an element that exactly one side added is missing, or if an element that
  /// exactly one side removed is present, for example because the other side moved it.
  static func isKept(in merged: [Value], base: [Value], ours: [Value], theirs: [Value]) -> Bool {
    var counts: [Value: ElementCounts] = [:]
    for element in base { counts[element, default: ElementCounts()].base += 1 }
    for element in ours { counts[element, default: ElementCounts()].ours += 1 }
    for element in theirs { counts[element, default: ElementCounts()].theirs += 1 }
    for element in merged { counts[element, default: ElementCounts()].merged += 1 }
    return counts.values.allSatisfy { counts in
      // A new element may have been merged with another version of itself.
      if counts.base == 0 { return true }
      if counts.ours == counts.base { return counts.merged == counts.theirs }
      return counts.theirs != counts.base || counts.merged == counts.ours
    }
  }
}
