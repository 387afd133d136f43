extension SeededGenerator {
  /// Returns text with characters that control terminals, wide and joining ones, and some of
  /// everything else.
  package mutating func hostileText() -> String {
    var text = String.UnicodeScalarView()
    for _ in 0..<below(24) { text.append(hostileScalar()) }
    return String(text)
  }

  private mutating func hostileScalar() -> Unicode.Scalar {
    let ranges: [ClosedRange<UInt32>] = [
      0x00...0x1F, 0x20...0x7E, 0x61...0x7A, 0x7F...0x9F, 0xA0...0xFF, 0x300...0x36F, 0x5D0...0x5EA,
      0x600...0x61C, 0x915...0x94D,
      0x1100...0x11FF,
      0x200B...0x202E, 0x2060...0x206F, 0x3041...0x30FF, 0x4E00...0x4E20, 0xE000...0xE010, 0xFE00...0xFE0F,
      0xFEFF...0xFEFF,
      0xFFF9...0xFFFF,
      0x1F1E6...0x1F1FF, 0x1F3F4...0x1F3FF, 0x1F466...0x1F469, 0xE0020...0xE007F, 0x10_FFF0...0x10_FFFF,
    ]
    let range = ranges[below(ranges.count)]
    return Unicode.Scalar(UInt32.random(in: range, using: &self)) ?? "?"
  }
}
