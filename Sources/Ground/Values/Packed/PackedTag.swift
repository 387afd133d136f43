/// The first byte of a packed value; it determines what follows.
package enum PackedTag: UInt8 {
  case null = 0
  case `false` = 1
  case `true` = 2
  /// A zigzag varint.
  case integer = 3
  /// Eight bytes: the little-endian bit pattern.
  case double = 4
  /// A varint length and ASCII: a number that keeps its text.
  case literal = 5
  /// A precision byte, eight bytes of seconds, four bytes of nanoseconds, a varint length and the
  /// text.
  case date = 6
  /// A varint length and UTF-8.
  case string = 7
  /// Four bytes with the length of what follows; then the elements.
  case list = 8
  /// Four bytes with the length of what follows; then the keys (a varint length and UTF-8), each
  /// with its value.
  case map = 9
}
