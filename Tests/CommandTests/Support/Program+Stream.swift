import Foundation
import TestSupport

extension Program.State {
  var lineCount: Int { output.count { $0 == UInt8(ascii: "\n") } }

  func line(_ index: Int) -> ArraySlice<UInt8> {
    output.split(separator: UInt8(ascii: "\n"), maxSplits: index + 1, omittingEmptySubsequences: false)[index]
  }

  /// The list and the problems that the complete lines of the stream describe so far.
  func stream() throws -> StreamReader {
    var stream = StreamReader()
    let end = output.lastIndex(of: UInt8(ascii: "\n")) ?? output.startIndex
    for line in output[..<end].split(separator: UInt8(ascii: "\n")) { try stream.apply(line) }
    return stream
  }
}

extension StreamReader {
  /// The values of the items by their ids.
  func items() throws -> [String: JSON] {
    try Dictionary(
      uniqueKeysWithValues: values.map { id, value in
        (id.description, try JSON(JSONSerialization.data(withJSONObject: value)))
      })
  }
}

extension BuiltProgram {
  /// Returns the items that `list` prints, by their ids.
  static func items(in folder: String) async throws -> [String: JSON] {
    let list = try await json("list", folder, "-o", "json").list
    return Dictionary(list.map { ($0.id.string ?? "", $0.value) }) { $1 }
  }
}
