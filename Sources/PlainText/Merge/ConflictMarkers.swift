/// Writes two sides of a text with git's markers around the lines in which they differ.
struct ConflictMarkers {
  private let markers: TextMerge.Markers

  init(_ markers: TextMerge.Markers) {
    self.markers = markers
  }

  func between(_ ours: [UInt8], _ theirs: [UInt8]) -> [UInt8] {
    let (own, other) = (TextLine.split(ours), TextLine.split(theirs))
    var written: [UInt8] = []
    var next = (own: 0, other: 0)
    for pair in SequenceAlignment(own, other).pairs {
      write(Array(own[next.own..<pair.first]), Array(other[next.other..<pair.second]), to: &written)
      written += own[pair.first].bytes
      next = (pair.first + 1, pair.second + 1)
    }
    write(Array(own[next.own...]), Array(other[next.other...]), to: &written)
    return written
  }

  func around(_ merge: SequenceMerge<TextLine>) -> [UInt8] {
    var written: [UInt8] = []
    for chunk in merge.chunks {
      switch chunk {
      case .settled(let lines): written += lines.flatMap(\.bytes)
      case .open(_, let ours, let theirs): write(ours, theirs, to: &written)
      }
    }
    return written
  }

  private func write(_ ours: [TextLine], _ theirs: [TextLine], to written: inout [UInt8]) {
    guard !ours.isEmpty || !theirs.isEmpty else { return }
    let hasCRLF = (ours + theirs).contains { $0.bytes.suffix(2).elementsEqual([0x0D, 0x0A]) }
    let lineBreak = Array((hasCRLF ? "\r\n" : "\n").utf8)
    func closeLine() { if let last = written.last, last != 0x0A { written += lineBreak } }
    func mark(_ character: Character, _ label: String) {
      closeLine()
      written += Array(String(repeating: character, count: markers.size).utf8) + Array((label.isEmpty ? "" : " " + label).utf8) + lineBreak
    }
    mark("<", markers.ours)
    written += ours.flatMap(\.bytes)
    mark("=", "")
    written += theirs.flatMap(\.bytes)
    mark(">", markers.theirs)
  }
}
