import HTTPTypes
import Printing
import Store

extension ItemService {
  /// Answers with a problem and the text of its file around its line. No other file is read.
  func problem(_ request: ServerRequest) async throws(ProblemDocument) -> ServerResponse {
    try request.target.allowOnly(["path"])
    let word = try request.needed("path")
    guard let path = RelativePath(printed: word) else {
      throw .parameter("path", "`path` is not the path of a file in the folder. GET /problems lists them.")
    }
    return try await settled(request, for: nil) { () throws(ProblemDocument) in
      guard let problem = store.currentState.problem(at: path) else {
        throw ProblemDocument(
          .notFound, "The file `\(path)` has no problem now.", code: "no-problem",
          members: ["path": .string(path.description)])
      }
      let text: ProblemText
      do throws(Problem) {
        text = ProblemText(try store.fileBytes(at: path), around: problem.line)
      } catch {
        text = ProblemText(note: "The file is not shown: \(error.message)")
      }
      return ServerResponse(json: (problem.value.fields ?? [:]).merging(text.fields))
    }
  }
}

/// The part of a file that a page shows with a problem: the lines around it, within a limit.
struct ProblemText {
  private(set) var text: String?
  /// The number of the first line of the text, from 1.
  private(set) var first = 1
  /// A sentence if the text is not all of the file.
  private(set) var note: String?

  static let maxSize = 256 << 10
  /// The largest number of lines before the problem, and after it.
  static let reach = 1_000

  init(note: String) {
    self.note = note
  }

  /// Linear in the file.
  init(_ bytes: [UInt8], around line: Int) {
    if bytes.contains(0) {
      note = "The file is not text, so it is not shown."
      return
    }
    // The start of the first line that is shown, and of the problem's line or the last one.
    var (start, number, middle) = (0, 1, 0)
    for index in bytes.indices where bytes[index] == 0x0A && number < line && index + 1 < bytes.count {
      number += 1
      middle = index + 1
    }
    var end = middle
    var seen = 0
    while end < bytes.count, seen <= ProblemText.reach {
      if bytes[end] == 0x0A { seen += 1 }
      end += 1
    }
    start = middle
    first = number
    while start > 0, middle - start < ProblemText.maxSize / 2, number - first < ProblemText.reach {
      let previous = bytes[..<(start - 1)].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
      if middle - previous > ProblemText.maxSize / 2 { break }
      start = previous
      first -= 1
    }
    end = min(end, start + ProblemText.maxSize)
    let shown = bytes[start..<end]
    text = String(decoding: shown, as: UTF8.self)
    if shown.count < bytes.count {
      note = "The file is larger than what is shown here. Open it in an editor."
    } else if String(validating: shown, as: UTF8.self) == nil {
      note = "The file is not UTF-8. Bytes that are not text are shown as \u{FFFD}."
    }
  }

  var fields: Fields {
    var fields: Fields = ["first": .integer(first)]
    fields["text"] = text.map(Value.string)
    fields["note"] = note.map(Value.string)
    return fields
  }
}
