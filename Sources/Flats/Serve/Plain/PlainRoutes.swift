import HTTPTypes
import Printing
import Store
import Streams

extension Router {
  mutating func addPlainRoutes(_ context: WebContext) {
    on(.get, "/plain", context.plainPage)
  }
}

/// Answers with pages that the server makes completely: for printing, text browsers, and screen
/// readers. Errors are pages, too.
extension WebContext {
  fileprivate func plainPage(_ request: ServerRequest) async -> ServerResponse {
    let query: PlainQuery
    do throws(ProblemDocument) {
      query = try PlainQuery(request.target)
    } catch {
      return response(error, nil)
    }
    let queue =
      query.id == nil ? queues.lists : items(for: query.id.map { Item.ID(printed: $0) })
    do throws(ProblemDocument) {
      return try await queue.run(request, settling: store) { [self] () throws(ProblemDocument) in
        guard let id = query.id else { return try list(query) }
        return try item(Item.ID(printed: id), query)
      }
    } catch {
      return response(error, query)
    }
  }

  private func list(_ query: PlainQuery) throws(ProblemDocument) -> ServerResponse {
    let parameters = try query.parameters.over(base)
    let state = store.currentState
    let view = try parameters.definition(in: state.settings)
    let snapshot = ListSnapshot<Item>(of: state, request: view.request)
    try query.view.checkQuotes(snapshot.unquotedStrings)
    let list = PlainList(snapshot, query)
    return response(
      document(title: parameters.name.map { "\(name): \($0)" } ?? name, query, list.write))
  }

  private func item(_ id: Item.ID, _ query: PlainQuery) throws(ProblemDocument) -> ServerResponse {
    let current = try CurrentItem(id, in: store)
    return response(
      document(title: current.item.id.description, nil) { html in
        html.open("p")
        html.link("Back to the list", to: query.address(page: query.page))
        html.close("p")
        html.element("p", "File: \(current.item.path)")
        if !current.problems.isEmpty {
          html.element("h2", "Problems")
          html.markup("<ul>\n")
          for problem in current.problems { html.element("li", problem.description) }
          html.markup("</ul>\n")
        }
        html.markup(
          "<h2>Fields</h2>\n<table>\n<thead><tr><th scope=\"col\">field</th><th scope=\"col\">value</th></tr></thead>\n<tbody>\n"
        )
        for (key, value) in current.fields { html.row(key, value) }
        html.markup("</tbody>\n</table>\n<h2>Source</h2>\n<pre>")
        html.lines(current.text.bytes)
        html.markup("</pre>\n")
      })
  }

  private func response(_ document: [UInt8]) -> ServerResponse {
    ServerResponse(type: "text/html; charset=utf-8", document)
  }

  private func response(_ problem: ProblemDocument, _ query: PlainQuery?) -> ServerResponse {
    var answer = response(document(of: problem, query))
    answer.head.status = problem.status
    for field in problem.fields { answer.head.headerFields.append(field) }
    return answer
  }
}

/// The frame of a plain page: its head, its title, and the form that asks for another view.
extension WebContext {
  /// The parameters that the form has no field for and sends along.
  private static let hidden = ["section-order", "search-fields", "fields", "limit", "offset"]

  /// A complete page, without the form if `query` is nil. `body` writes what comes after the form.
  private func document(title: String, _ query: PlainQuery?, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
    var html = HTMLWriter()
    html.markup("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    html.markup("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    html.element("title", title)
    html.markup("<link rel=\"stylesheet\" href=\"assets/plain.css\">\n</head>\n<body>\n<header>\n")
    html.element("h1", title)
    html.markup("<p>")
    html.link("Live page", to: query?.liveAddress ?? "./")
    html.markup("</p>\n")
    if let query { writeForm(query, &html) }
    html.markup("</header>\n<main>\n")
    body(&html)
    html.markup("</main>\n</body>\n</html>\n")
    return html.bytes
  }

  private func writeForm(_ query: PlainQuery, _ html: inout HTMLWriter) {
    html.markup("<form method=\"get\" action=\"plain\" role=\"search\">\n")
    writeField("Search", query.value("query").isEmpty ? "search" : "query", query, &html)
    writeField("Sort", "sort", query, &html)
    writeField("Section", "section", query, &html)
    writeField("Where", "where", query, &html)
    writeViews(query, &html)
    for name in WebContext.hidden where !query.value(name).isEmpty {
      html.markup("<input type=\"hidden\"")
      html.attribute("name", name)
      html.attribute("value", query.value(name))
      html.markup(">\n")
    }
    html.markup("<button type=\"submit\">Show</button>\n</form>\n")
  }

  private func writeField(_ label: String, _ name: String, _ query: PlainQuery, _ html: inout HTMLWriter) {
    html.markup("<label>")
    html.text(label)
    html.markup(" <input type=\"text\" autocomplete=\"off\" spellcheck=\"false\"")
    html.attribute("name", name)
    html.attribute("value", query.value(name))
    html.markup("></label>\n")
  }

  private func writeViews(_ query: PlainQuery, _ html: inout HTMLWriter) {
    let views = store.settings.views.keys.sorted()
    if views.isEmpty { return }
    html.markup("<label>View <select name=\"view\">\n<option value=\"\">none</option>\n")
    for view in views {
      html.markup("<option")
      html.attribute("value", view)
      if (query.viewName ?? base.name) == view { html.markup(" selected") }
      html.markup(">")
      html.text(view)
      html.close("option")
    }
    html.markup("</select></label>\n")
  }

  /// Returns the page of an error. A predicate is shown with a mark at the column of its error.
  private func document(of problem: ProblemDocument, _ query: PlainQuery?) -> [UInt8] {
    document(title: "\(name): \(problem.status.reasonPhrase)", query) { html in
      html.markup("<p class=\"error\" role=\"alert\">")
      html.text(problem.detail)
      html.close("p")
      guard case .string(let text)? = problem.members["text"],
        case .number(.integer(let column))? = problem.members["column"]
      else { return }
      html.markup("<pre>")
      html.text(text)
      html.markup("\n")
      // The column counts characters from 1.
      let width = DisplayText.width(of: String(text.prefix(max(0, column - 1))))
      html.text(String(repeating: " ", count: width))
      html.markup("^</pre>\n")
    }
  }
}

extension HTMLWriter {
  fileprivate mutating func row(_ key: String, _ value: Value) {
    markup("<tr><th scope=\"row\">")
    text(key)
    markup("</th><td>")
    if case .string(let text) = value, text.utf8.contains(UInt8(ascii: "\n")) {
      markup("<pre>")
      lines(Array(text.utf8))
      markup("</pre>")
    } else {
      text(value.cellText)
    }
    markup("</td></tr>\n")
  }
}
