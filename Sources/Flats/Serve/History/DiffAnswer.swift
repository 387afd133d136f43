import Git
import Printing
import Store
import Streams
import Values

/// The changes of a list between two revisions, as `notes-watch diff -o jsonl` prints them.
struct DiffAnswer {
  private let hello: [UInt8]
  private let update: OutputPieces?
  private let problems: [[UInt8]]

  /// - Parameters:
  ///   - diff: The comparison.
  ///   - root: The name of the folder.
  ///   - view: The view of both lists.
  init(_ diff: RevisionDiff, root: String, view: Fields) {
    var encoder = StreamEncoder()
    hello = encoder.hello(root: root, view: view, from: diff.from.written, to: diff.to.written)
    let time = diff.to.revision?.time ?? WallClock.now()
    update = diff.update.map { encoder.pieces(of: $0, time: time) }
    problems = diff.problems.map { StreamEncoder.problem($0) }
  }

  /// The lines of the stream.
  var lines: OutputPieces {
    let end = Array(problems.joined())
    return update.map { $0.between(hello, and: end) } ?? OutputPieces(hello + end)
  }

  /// One document: `{"hello":…,"update":…,"problems":[…]}`, with null if the list did not change.
  var document: OutputPieces {
    let start = Array("{\"hello\":".utf8) + hello.dropLast() + Array(",\"update\":".utf8)
    let list = problems.map { Array($0.dropLast()) }.joined(separator: [UInt8(ascii: ",")])
    let end = Array(",\"problems\":[".utf8) + list + Array("]}\n".utf8)
    return update.map { $0.between(start, and: end) } ?? OutputPieces(start + Array("null".utf8) + end)
  }
}
