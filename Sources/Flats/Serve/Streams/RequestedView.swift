import HTTPTypes
import Store
import Values

/// A view of a stream as its client asks for it: a JSON object with the keys of a view in the
/// settings, and `view`, `window`, `text`, `since` and `request`.
struct RequestedView: Sendable, Hashable {
  /// The view.
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

  /// Asks for a view.
  init(_ parameters: ViewParameters, window: RequestedWindow? = nil, since: String? = nil) {
    self.parameters = parameters
    self.window = window
    self.since = since
  }

  /// Reads a view.
  init(_ value: Value) throws(ViewMistake) {
    guard case .map(var written) = value else {
      throw ViewMistake(
        "Expected an object with the parts of a view, such as {\"search\":\"…\"}, found \(value.kindName).")
    }
    let request = try RequestedView.number(of: written["request"])
    do throws(ViewMistake) {
      let name = try RequestedView.text("view", in: written)
      since = try RequestedView.text("since", in: written)
      window = try written["window"].flatMap { value throws(ViewMistake) in
        value == .null ? nil : try RequestedWindow(value)
      }
      text = try written["text"].flatMap { value throws(ViewMistake) in
        value == .null ? nil : try TextForm(value)
      }
      namesSearch = written["search"] != nil
      for key in ["view", "since", "window", "text", "request"] { written[key] = nil }
      parameters = ViewParameters(name: name, own: try RequestedView.definition(written))
    } catch {
      var mistake = error
      mistake.request = request
      throw mistake
    }
    self.request = request
  }

  private static func number(of value: Value?) throws(ViewMistake) -> Int? {
    guard let value, value != .null else { return nil }
    guard case .number(.integer(let number)) = value else {
      throw ViewMistake(
        "request: expected an integer, which the answer repeats, found \(value.kindName).",
        parameter: "request")
    }
    return number
  }

  private static func text(_ key: String, in written: Fields) throws(ViewMistake) -> String? {
    guard let value = written[key], value != .null else { return nil }
    guard case .string(let text) = value else {
      throw ViewMistake("\(key): expected a string, found \(value.kindName).", parameter: key)
    }
    return text
  }

  /// Reads the parts of a view. A part that is null is left out.
  private static func definition(_ written: Fields) throws(ViewMistake) -> ViewDefinition {
    if case .string(let text)? = written["where"] {
      do throws(ItemPredicateError) {
        _ = try ItemPredicate(parsing: text)
      } catch {
        throw ViewMistake(
          "where, column \(error.column): \(error.message)", parameter: "where", column: error.column)
      }
    }
    do throws(SettingsError) {
      return try ViewDefinition().changed(by: written)
    } catch {
      throw ViewMistake(error)
    }
  }
}

extension ServerRequest {
  /// Reads the view in the body.
  ///
  /// - Throws: `ProblemDocument`: 400 if it is not one.
  func requestedView(_ context: WebContext) async throws(ProblemDocument) -> RequestedView {
    let bytes = try await body.read(upTo: context.options.maxBodySize)
    let value = try RequestedViews.value(reading: bytes, of: "The body")
    do throws(ViewMistake) {
      return try RequestedView(value)
    } catch {
      throw ProblemDocument(.badRequest, error.message, code: "bad-request")
    }
  }
}
