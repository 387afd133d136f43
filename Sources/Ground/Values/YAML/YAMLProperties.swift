/// Finds the bytes of the anchor and the tag before a node. libyaml reports only one range for all
/// three.
struct YAMLProperties {
  /// The range of the anchor and the tag; nil if the node has neither.
  private(set) var range: Range<Int>?
  /// The start of the node itself, after spaces, line breaks and comments.
  private(set) var content: Int

  /// Scans the beginning of a node.
  ///
  /// - Parameters:
  ///   - node: a range that begins with the properties.
  ///   - mayBeNonSpecific: true if there may be a `!` alone, a tag that libyaml does not report.
  init(
    _ bytes: UnsafeRawBufferPointer, _ node: Range<Int>, anchor: String?, tag: String?, mayBeNonSpecific: Bool
  ) {
    var hasAnchor = anchor != nil
    var hasTag = tag != nil || mayBeNonSpecific
    content = node.lowerBound
    while content < node.upperBound {
      let first = bytes[content]
      let end: Int
      if first == UInt8(ascii: "&"), hasAnchor {
        hasAnchor = false
        end = YAMLProperties.end(bytes, content..<node.upperBound, isVerbatim: false)
      } else if first == UInt8(ascii: "!"), hasTag {
        hasTag = false
        end = YAMLProperties.end(
          bytes, content..<node.upperBound,
          isVerbatim: content + 1 < node.upperBound && bytes[content + 1] == UInt8(ascii: "<"))
      } else {
        return
      }
      range = node.lowerBound..<end
      content = YAMLProperties.skipBlanks(bytes, end..<node.upperBound)
    }
  }

  private static func end(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, isVerbatim: Bool) -> Int {
    range.first { index in
      switch bytes[index] {
      case 0x20, 0x09: true
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        !isVerbatim
      default: lineBreak(bytes, index..<range.upperBound) > 0
      }
    } ?? range.upperBound
  }

  private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var isComment = false
    var index = range.lowerBound
    while index < range.upperBound {
      let size = lineBreak(bytes, index..<range.upperBound)
      if size > 0 {
        isComment = false
      } else if bytes[index] == UInt8(ascii: "#") {
        isComment = true
      } else if !isComment, bytes[index] != 0x20, bytes[index] != 0x09 {
        return index
      }
      index += max(size, 1)
    }
    return range.upperBound
  }

  /// Returns the length in bytes of the line break at the start of `range`, which is one of YAML
  /// 1.1's five; 0 if there is none.
  private static func lineBreak(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    switch (bytes[range.lowerBound], range.count) {
    case (0x0A, _), (0x0D, _): 1
    case (0xC2, 2...): bytes[range.lowerBound + 1] == 0x85 ? 2 : 0
    case (0xE2, 3...):
      bytes[range.lowerBound + 1] == 0x80 && bytes[range.lowerBound + 2] & 0xFE == 0xA8 ? 3 : 0
    default: 0
    }
  }
}
