import Foundation
import TestSupport

/// The list of a consumer that receives each update at least once.
///
/// An update may come again, then with later changes in it, if its acknowledgement was lost. The
/// consumer then goes back to the list before it. It is an error if an update does not continue
/// from the last list or from the one before.
struct ConsumerLog {
  struct Gap: Error, CustomStringConvertible {
    let description: String
  }

  /// True if the view has sections.
  private let hasSections: Bool
  /// The list after each step.
  private var states: [StreamReader] = []
  /// The number of updates that came again.
  private(set) var repeats = 0

  init(hasSections: Bool = false) {
    self.hasSections = hasSections
  }

  var last: StreamReader { states.last ?? StreamReader() }
  var token: String { last.token }
  var ids: [String] { last.ids.map(\.description) }
  var steps: Int { states.count }

  func items() throws -> [String: JSON] { try last.items() }

  /// Applies a line of a stream, or the update that a run got.
  mutating func apply(_ line: some Collection<UInt8>) throws {
    let json = try JSON(Data(line))
    switch json.type {
    case "hello":
      guard let since = json.since.string else { return states = [try reader(StreamReader(), line)] }
      try goBack(to: since, json)
      states[states.count - 1] = try reader(last, line)
    case "update":
      if let since = json.since.string, states.isEmpty || json.seq == 1 {
        // The first update of a command inserts the complete list.
        if states.count > 2 { throw Gap(description: "the first update came after \(states.count): \(json)") }
        if states.count == 2 { repeats += 1 }
        states = [StreamReader(emptyListAt: since, hasSections: hasSections)]
      }
      try goBack(to: json.since.string ?? "", json)
      states.append(try reader(last, line))
    case "snapshot", "problem", "bookmark": states[states.count - 1] = try reader(last, line)
    default: throw Gap(description: "unexpected: \(json)")
    }
  }

  private mutating func goBack(to token: String, _ line: JSON) throws {
    guard let index = states.lastIndex(where: { $0.token == token }), index >= states.count - 2 else {
      throw Gap(description: "a gap before \(line); the last tokens are \(states.suffix(3).map(\.token))")
    }
    if index < states.count - 1 { repeats += 1 }
    states.removeSubrange((index + 1)...)
  }

  private func reader(_ reader: StreamReader, _ line: some Collection<UInt8>) throws -> StreamReader {
    var reader = reader
    try reader.apply(line)
    return reader
  }
}
