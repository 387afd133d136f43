import Store
import Streams
import Values

/// Writes the problems of a folder:
/// `{"count":…,"problems":[{"path":…,"line":…,"column":…,"message":…}]}`.
enum ProblemList {
  /// The number of problems in one piece.
  private static let problemsPerPiece = 500

  /// Returns the document.
  static func pieces(of problems: [Problem]) -> OutputPieces {
    let count = max(1, (problems.count + problemsPerPiece - 1) / problemsPerPiece)
    return OutputPieces(count) { number in
      var writer = JSONWriter()
      if number == 0 {
        writer.raw("{\"count\":")
        writer.write(problems.count)
        writer.raw(",\"problems\":[")
      }
      for index in number * problemsPerPiece..<min(problems.count, (number + 1) * problemsPerPiece) {
        if index > 0 { writer.raw(",") }
        writer.write(problems[index].value)
      }
      if number == count - 1 { writer.raw("]}\n") }
      return writer.bytes
    }
  }
}
