import Store
import Streams
import Values

/// The reason why a view of a stream cannot be shown.
struct ViewMistake: Error, Hashable {
  /// A sentence: what is wrong and what to do.
  let message: String
  /// The part of the view that is wrong; nil if it is not a single one.
  let parameter: String?
  /// The column of the mistake in a predicate, in characters from 1; nil if it is elsewhere.
  let column: Int?
  /// The number of the request; nil if the client gave none.
  var request: Int?

  /// Describes a mistake.
  init(_ message: String, parameter: String? = nil, column: Int? = nil, request: Int? = nil) {
    self.message = message
    self.parameter = parameter
    self.column = column
    self.request = request
  }

  /// Describes an error of the settings, or of a part of a view.
  init(_ error: SettingsError, parameter: String? = nil, request: Int? = nil) {
    self.init(error.advice, parameter: parameter ?? error.keys.first, request: request)
  }

  /// The line of the stream.
  var line: [UInt8] {
    JSONWriter.line("error") { line in
      line.field("code") { $0.write("bad-view") }
      line.field("message") { $0.write(message) }
      if let parameter { line.field("parameter") { $0.write(parameter) } }
      if let column { line.field("column") { $0.write(column) } }
      if let request { line.field("answer") { $0.write(request) } }
    }
  }
}
