/// How a terminal draws a cell: colours and attributes, as SGR sets them.
struct Attributes: Hashable {
  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8
    static let bold = Flags(rawValue: 1)
    static let dim = Flags(rawValue: 2)
    static let underline = Flags(rawValue: 8)
    static let reverse = Flags(rawValue: 16)
  }

  enum Colour: Hashable {
    case standard
    /// One of the 16 colours that the user of the terminal chooses.
    case named(UInt8)
    /// One of the 256 colours; those from 16 on are the same everywhere.
    case indexed(UInt8)
  }

  var flags: Flags = []
  var ink = Colour.standard
  var paper = Colour.standard

  static let plain = Attributes()

  /// Appends the shortest SGR sequence that changes `self` into `other`.
  func appendChange(to other: Attributes, _ bytes: inout [UInt8]) {
    if self == other { return }
    var fromHere: [UInt8] = []
    appendDifference(to: other, &fromHere)
    var fromNothing: [UInt8] = []
    if other != .plain {
      fromNothing.append(parameters: 0)
      Attributes.plain.appendDifference(to: other, &fromNothing)
    }
    bytes.append(contentsOf: [0x1B, 0x5B])
    bytes.append(
      contentsOf: fromHere.count < fromNothing.count ? fromHere : fromNothing)
    bytes.append(UInt8(ascii: "m"))
  }

  private func appendDifference(to other: Attributes, _ parameters: inout [UInt8]) {
    var kept = flags
    let weights: Flags = [.bold, .dim]
    if !flags.intersection(weights).isSubset(of: other.flags) {
      parameters.append(parameters: 22)
      kept.subtract(weights)
    }
    for (flag, on, off) in Self.switches {
      if other.flags.contains(flag), !kept.contains(flag) { parameters.append(parameters: on) }
      if !other.flags.contains(flag), kept.contains(flag) { parameters.append(parameters: off) }
    }
    if ink != other.ink { other.ink.append(to: &parameters, base: 30) }
    if paper != other.paper { other.paper.append(to: &parameters, base: 40) }
  }

  private static let switches: [(Flags, Int, Int)] = [
    (.bold, 1, 22), (.dim, 2, 22), (.underline, 4, 24), (.reverse, 7, 27),
  ]
}

extension Attributes.Colour {
  /// Appends the parameters that choose the colour, from 30 for the ink, from 40 for the paper.
  fileprivate func append(to parameters: inout [UInt8], base: Int) {
    switch self {
    case .standard: parameters.append(parameters: base + 9)
    case .named(let number) where number < 8: parameters.append(parameters: base + Int(number))
    case .named(let number): parameters.append(parameters: base + 52 + Int(number & 15))
    case .indexed(let number): parameters.append(parameters: base + 8, 5, Int(number))
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(parameters: Int...) {
    for number in parameters {
      if !isEmpty { append(UInt8(ascii: ";")) }
      append(contentsOf: String(number).utf8)
    }
  }
}
