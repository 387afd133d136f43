import HTTPTypes
import Store
import Streams

/// A view of a stream as its client asks for it: a JSON object with the keys of a view in the
/// settings, and `view`, `window`, `text`, `since` and `request`.
struct RequestedView {
  var parameters: ViewParameters
  /// The part of the list that the client shows; nil for the complete list.
  var window: RequestedWindow?
  /// The terminal for which the list is written as text; nil for lines.
  var text: TextForm?
  /// The token after which the stream continues; nil for a client without a list.
  var since: String?
  /// The number of the request, which its answer repeats; nil for none.
  var request: Int?
  /// True if the client says that it is about to search.
  var namesSearch = false

  init(_ parameters: ViewParameters) { self.parameters = parameters }

  init(_ value: Value) throws(ProblemDocument) {
    guard case .map(var written) = value else {
      throw .badView(
        "Expected an object with the parts of a view, such as {\"search\":\"…\"}, found \(value.kindName).")
    }
    let request = try RequestedView.number(of: written["request"])
    do throws(ProblemDocument) {
      let name = try RequestedView.text("view", in: written)
      since = try RequestedView.text("since", in: written)
      window = try written["window"].flatMap { value throws(ProblemDocument) in
        value == .null ? nil : try RequestedWindow(value)
      }
      text = try written["text"].flatMap { value throws(ProblemDocument) in
        value == .null ? nil : try TextForm(value)
      }
      namesSearch = written["search"] != nil || written["query"] != nil
      for key in ["view", "since", "window", "text", "request"] { written[key] = nil }
      parameters = ViewParameters(
        name: name, own: try RequestedView.definition(written, isTyped: window != nil))
    } catch {
      throw error.answering(request)
    }
    self.request = request
  }

  private static func number(of value: Value?) throws(ProblemDocument) -> Int? {
    guard let value, value != .null else { return nil }
    guard case .number(.integer(let number)) = value else {
      throw .badView(
        "request: expected an integer, which the answer repeats, found \(value.kindName).",
        parameter: "request")
    }
    return number
  }

  private static func text(_ key: String, in written: Fields) throws(ProblemDocument) -> String? {
    guard let value = written[key], value != .null else { return nil }
    guard case .string(let text) = value else {
      throw .badView("\(key): expected a string, found \(value.kindName).", parameter: key)
    }
    return text
  }

  /// Reads the parts of a view. A part that is null is left out. On a screen, a query may be incomplete.
  private static func definition(_ written: Fields, isTyped: Bool) throws(ProblemDocument) -> ViewDefinition {
    var written = written
    var typed: SearchQuery?
    if isTyped, case .string(let text)? = written["query"] {
      typed = SearchQuery(typed: text)
      written["query"] = nil
    }
    for key in ["where", "query"] {
      guard case .string(let text)? = written[key] else { continue }
      do throws(ItemPredicateError) {
        if key == "where" { _ = try ItemPredicate(text) } else { _ = try SearchQuery(text) }
      } catch {
        throw .badView(
          "\(key), column \(error.column): \(error.message)", parameter: key, column: error.column)
      }
    }
    do throws(SettingsError) {
      var view = try ViewDefinition().changed(by: written)
      if let typed { view.query = typed }
      return view
    } catch {
      throw .badView(error)
    }
  }
}

extension ServerRequest {
  func requestedView(_ context: WebContext) async throws(ProblemDocument) -> RequestedView {
    let bytes = try await body.read(upTo: context.options.maxBodySize)
    let value = try RequestedViews.value(reading: bytes, of: "The body")
    do throws(ProblemDocument) {
      return try RequestedView(value)
    } catch {
      throw ProblemDocument(.badRequest, error.detail, code: "bad-request")
    }
  }
}

extension ProblemDocument {
  /// `parameter` is the wrong part of the view, if it is a single one. `column` counts characters from 1.
  static func badView(_ detail: String, parameter: String? = nil, column: Int? = nil) -> ProblemDocument {
    var members: Fields = [:]
    members["parameter"] = parameter.map(Value.string)
    members["column"] = column.map { .integer($0) }
    return ProblemDocument(.notFound, detail, code: "bad-view", members: members)
  }

  static func badView(_ error: SettingsError, parameter: String? = nil) -> ProblemDocument {
    badView(error.advice, parameter: parameter ?? error.keys.first)
  }

  /// Adds the number of the request that the problem answers.
  func answering(_ request: Int?) -> ProblemDocument {
    var problem = self
    if let request { problem.members["answer"] = .integer(request) }
    return problem
  }

  /// The line of a stream whose view cannot be shown.
  var line: [UInt8] {
    JSONWriter.line("error") { line in
      line.field("code", "bad-view")
      line.field("message", detail)
      line.fields(members)
    }
  }
}
