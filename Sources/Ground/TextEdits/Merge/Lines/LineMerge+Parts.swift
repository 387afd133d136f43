extension [LineMerge.Part] {
  var isOpen: Bool { contains { if case .open = $0 { true } else { false } } }

  /// The lines in which all conflicts are resolved for us.
  var ours: [TextLine] { lines { ours, _ in ours } }

  /// The lines in which all conflicts are resolved for them.
  var theirs: [TextLine] { lines { _, theirs in theirs } }

  private func lines(_ choose: ([TextLine], [TextLine]) -> [TextLine]) -> [TextLine] {
    flatMap { part -> [TextLine] in
      switch part {
      case .settled(let lines): lines
      case .open(let ours, let theirs): choose(ours, theirs)
      }
    }
  }

  /// Returns two versions with a conflict at each difference.
  static func between(_ ours: [TextLine], _ theirs: [TextLine]) -> [LineMerge.Part] {
    var parts: [LineMerge.Part] = []
    var next = (ours: 0, theirs: 0)
    func close(_ end: (ours: Int, theirs: Int)) {
      let (own, other) = (
        [TextLine](ours[next.ours..<end.ours]), [TextLine](theirs[next.theirs..<end.theirs])
      )
      if !own.isEmpty || !other.isEmpty { parts.append(.open(ours: own, theirs: other)) }
    }
    for pair in SequenceAlignment(ours, theirs).pairs {
      close((pair.first, pair.second))
      parts.append(.settled([ours[pair.first]]))
      next = (pair.first + 1, pair.second + 1)
    }
    close((ours.count, theirs.count))
    return parts
  }

  /// Returns the text with git's conflict markers.
  func text(with markers: TextMerge.Markers) -> [UInt8] {
    var written: [UInt8] = []
    for part in self {
      switch part {
      case .settled(let lines): written += lines.flatMap(\.bytes)
      case .open(let ours, let theirs): write(ours, theirs, markers, to: &written)
      }
    }
    return written
  }

  private func write(
    _ ours: [TextLine], _ theirs: [TextLine], _ markers: TextMerge.Markers, to written: inout [UInt8]
  ) {
    let hasCRLF = (ours + theirs).contains { $0.bytes.suffix(2).elementsEqual([0x0D, 0x0A]) }
    let lineBreak = [UInt8]((hasCRLF ? "\r\n" : "\n").utf8)
    func closeLine() { if let last = written.last, last != 0x0A { written += lineBreak } }
    func mark(_ character: Character, _ label: String) {
      closeLine()
      written +=
        [UInt8](String(repeating: character, count: markers.size).utf8)
        + [UInt8]((label.isEmpty ? "" : " " + label).utf8) + lineBreak
    }
    mark("<", markers.ours)
    written += ours.flatMap(\.bytes)
    mark("=", "")
    written += theirs.flatMap(\.bytes)
    mark(">", markers.theirs)
  }
}
