/// Separates acknowledgements from the other output of a persistent command.
///
/// Only lines that consist of digits are acknowledgements; they are removed from the output.
/// Everything else is passed on at once, except for the digits at the beginning of a line: these
/// are held back until the line is known to be an acknowledgement, or not.
struct AcknowledgementParser {
  /// The maximum number of digits of an acknowledgement. It limits the bytes that are held back.
  static let maxDigits = 64
  private static let lineFeed = UInt8(ascii: "\n")
  private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

  private var held: [UInt8] = []
  private var isInText = false

  /// Adds bytes of the output. Returns the bytes to pass on, and the digits of the acknowledgements.
  mutating func add(_ bytes: [UInt8]) -> (output: [UInt8], acknowledgements: [String]) {
    var result = (output: [UInt8](), acknowledgements: [String]())
    var rest = bytes[...]
    while let byte = rest.first {
      if isInText {
        let text = rest.prefix { $0 != Self.lineFeed }
        result.output += text
        rest = rest.dropFirst(text.count)
        if rest.popFirst() != nil {
          result.output.append(Self.lineFeed)
          isInText = false
        }
        continue
      }
      rest.removeFirst()
      if Self.digits.contains(byte), held.count < Self.maxDigits {
        held.append(byte)
      } else if byte == Self.lineFeed, !held.isEmpty {
        result.acknowledgements.append(removeHeld())
      } else {
        result.output += held + [byte]
        held = []
        isInText = byte != Self.lineFeed
      }
    }
    return result
  }

  /// Ends the output. A last line of digits counts although no line feed follows.
  mutating func finish() -> String? {
    isInText = false
    return held.isEmpty ? nil : removeHeld()
  }

  private mutating func removeHeld() -> String {
    defer { held = [] }
    return String(decoding: held, as: UTF8.self)
  }
}
