/// The anchor and the tag before a node, whose bytes libyaml does not give apart from it.
struct YAMLProperties {
  /// Both, where there is one.
  private(set) var range: Range<Int>?
  /// Where the node itself begins: behind blanks, line breaks and comments.
  private(set) var content: Int

  /// `node` begins with the properties. `mayBeNonSpecific`: a `!` alone is a tag that libyaml leaves out.
  init(_ bytes: UnsafeRawBufferPointer, _ node: Range<Int>, anchor: String?, tag: String?, mayBeNonSpecific: Bool) {
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
          bytes, content..<node.upperBound, isVerbatim: content + 1 < node.upperBound && bytes[content + 1] == UInt8(ascii: "<"))
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
      case 0x20, 0x09, 0x0A, 0x0D: true
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"): !isVerbatim
      default: false
      }
    } ?? range.upperBound
  }

  private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) -> Int {
    var isComment = false
    return range.first { index in
      switch bytes[index] {
      case 0x0A, 0x0D: isComment = false
      case 0x20, 0x09: break
      case UInt8(ascii: "#"): isComment = true
      default: return !isComment
      }
      return false
    } ?? range.upperBound
  }
}
