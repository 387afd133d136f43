/// Writes a merge with git's conflict markers.
struct ConflictMarkers {
  private let markers: TextMerge.Markers

  init(_ markers: TextMerge.Markers) {
    self.markers = markers
  }

  /// Returns two versions with a conflict at each difference.
  static func parts(between ours: [TextLine], _ theirs: [TextLine]) -> [LineMerge.Part] {
    var parts: [LineMerge.Part] = []
    var next = (ours: 0, theirs: 0)
    func close(_ end: (ours: Int, theirs: Int)) {
      let (own, other) = (Array(ours[next.ours..<end.ours]), Array(theirs[next.theirs..<end.theirs]))
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

  func text(of parts: [LineMerge.Part]) -> [UInt8] {
    var written: [UInt8] = []
    for part in parts {
      switch part {
      case .settled(let lines): written += lines.flatMap(\.bytes)
      case .open(let ours, let theirs): write(ours, theirs, to: &written)
      }
    }
    return written
  }

  private func write(_ ours: [TextLine], _ theirs: [TextLine], to written: inout [UInt8]) {
    let hasCRLF = (ours + theirs).contains { $0.bytes.suffix(2).elementsEqual([0x0D, 0x0A]) }
    let lineBreak = Array((hasCRLF ? "\r\n" : "\n").utf8)
    func closeLine() { if let last = written.last, last != 0x0A { written += lineBreak } }
    func mark(_ character: Character, _ label: String) {
      closeLine()
      written +=
        Array(String(repeating: character, count: markers.size).utf8)
        + Array((label.isEmpty ? "" : " " + label).utf8) + lineBreak
    }
    mark("<", markers.ours)
    written += ours.flatMap(\.bytes)
    mark("=", "")
    written += theirs.flatMap(\.bytes)
    mark(">", markers.theirs)
  }
}
