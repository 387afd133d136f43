import Store
import Streams

/// One view of a stream: makes the lines that its client gets. One task uses it.
protocol StreamedView {
  /// The lines that wait until the client has room.
  var output: LineQueue { get set }

  /// Adds the lines of the step that is due, if there is one.
  ///
  /// - Returns: False if there was no step. A step may have no lines.
  mutating func addStep() -> Bool

  /// Changes the view, and adds the answer. Its work takes as long as the list is large.
  ///
  /// - Returns: False if another kind of view was asked for, and nothing was done.
  /// - Throws: `ViewMistake` if the settings do not allow the view. It then stays as it was.
  mutating func change(to view: RequestedView) throws(ViewMistake) -> Bool

  /// Adds the answer to a control line.
  mutating func answer(_ line: ControlLine)

  /// Ends the view.
  func finish()
}

extension StreamedView {
  mutating func answer(_ line: ControlLine) {}
}

extension LineQueue {
  /// Adds the lines of problems.
  mutating func add(_ problems: [ProblemChange]) {
    for problem in problems { add(StreamEncoder.problem(problem)) }
  }
}
