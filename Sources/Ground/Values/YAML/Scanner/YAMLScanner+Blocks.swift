extension YAMLScanner {
  private enum Chomping {
    case strip
    case clip
    case keep
  }

  /// Reads a block scalar from its indicator on, in a list or map at `parentColumn`.
  mutating func blockScalar(isFolded: Bool, parentColumn: Int) throws(Declined) {
    position += 1
    var chomping = Chomping.clip
    if position < count, byte(at: position) == "-" || byte(at: position) == "+" {
      chomping = byte(at: position) == "-" ? .strip : .keep
      position += 1
    }
    try finishLine()
    var (indentation, breaks) = try firstLine()
    guard indentation > parentColumn else { throw Declined() }
    let start = writer.beginString()
    var hasBreak = false
    var followsBlank = false
    repeat {
      let end = lineEnd(from: position)
      let isBlank =
        position < count
        && (byte(at: position) == " " || byte(at: position) == "\t")
      // Two lines are joined by a space, unless there are empty lines between them, or one begins
      // with a blank.
      if hasBreak {
        if !isFolded || followsBlank || isBlank {
          writer.append(byte: UInt8(ascii: "\n"))
        } else if breaks == 0 {
          writer.append(byte: UInt8(ascii: " "))
        }
      }
      appendBreaks(breaks)
      writer.append(packed: bytes(position..<end))
      followsBlank = isBlank
      hasBreak = end < count
      position = min(end + 1, count)
      breaks = 0
    } while try advanceInBlock(indentation, &breaks)
    if chomping != .strip, hasBreak { writer.append(byte: UInt8(ascii: "\n")) }
    if chomping == .keep { appendBreaks(breaks) }
    writer.endString(start)
  }

  private mutating func appendBreaks(_ count: Int) {
    for _ in 0..<count { writer.append(byte: UInt8(ascii: "\n")) }
  }

  /// Moves to the first line. Returns its column and the number of empty lines before it.
  private mutating func firstLine() throws(Declined) -> (indentation: Int, breaks: Int) {
    var breaks = 0
    var longest = 0
    while true {
      let start = position
      skipSpaces()
      let column = position - start
      guard position < count, byte(at: position) != "\t" else { throw Declined() }
      if byte(at: position) != "\n" {
        // libyaml takes the longest line, even if it is empty.
        guard column >= longest else { throw Declined() }
        return (column, breaks)
      }
      longest = max(longest, column)
      breaks += 1
      position += 1
    }
  }

  /// Moves to the next line, counting empty ones. Returns false after the last one, at what follows.
  private mutating func advanceInBlock(_ indentation: Int, _ breaks: inout Int) throws(Declined) -> Bool {
    while true {
      let start = position
      let limit = min(start + indentation, count)
      while position < limit, byte(at: position) == " " { position += 1 }
      guard position < count else { return false }
      if byte(at: position) == "\n" {
        breaks += 1
        position += 1
      } else if position == start + indentation {
        return true
      } else {
        guard byte(at: position) != "\t" else { throw Declined() }
        position = start
        return false
      }
    }
  }
}
