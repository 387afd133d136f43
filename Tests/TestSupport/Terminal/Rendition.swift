/// The colours and attributes of a cell, as a terminal understands SGR. Independent of the code
/// that writes it.
package struct Rendition: Hashable {
  package enum Colour: Hashable {
    case standard
    case indexed(Int)
    case direct(Int, Int, Int)
  }

  package var isBold = false
  package var isDim = false
  package var isItalic = false
  package var isUnderlined = false
  package var isReversed = false
  package var ink = Colour.standard
  package var paper = Colour.standard

  package init() {}

  /// Creates the rendition after an output of SGR sequences.
  package init(after output: [UInt8]) {
    for case .sequence(let sequence) in TerminalTokenizer.tokens(of: output) where sequence.kind == "m" {
      apply(sequence.parameters)
    }
  }

  mutating func apply(_ parameters: [Int]) {
    var rest = (parameters.isEmpty ? [0] : parameters)[...]
    while let first = rest.popFirst() {
      switch first {
      case 0: self = Rendition()
      case 1: isBold = true
      case 2: isDim = true
      case 3: isItalic = true
      case 4: isUnderlined = true
      case 7: isReversed = true
      case 22: (isBold, isDim) = (false, false)
      case 23: isItalic = false
      case 24: isUnderlined = false
      case 27: isReversed = false
      case 30...37: ink = .indexed(first - 30)
      case 38: ink = Self.colour(&rest)
      case 39: ink = .standard
      case 40...47: paper = .indexed(first - 40)
      case 48: paper = Self.colour(&rest)
      case 49: paper = .standard
      case 90...97: ink = .indexed(first - 82)
      case 100...107: paper = .indexed(first - 92)
      default: break
      }
    }
  }

  private static func colour(_ rest: inout ArraySlice<Int>) -> Colour {
    let numbers = Array(rest)
    if numbers.first == 5, numbers.count >= 2 {
      rest = rest.dropFirst(2)
      return .indexed(numbers[1])
    }
    guard numbers.first == 2, numbers.count >= 4 else { return .standard }
    rest = rest.dropFirst(4)
    return .direct(numbers[1], numbers[2], numbers[3])
  }
}
