import HTTPTypes
import Printing
import Store
import Values

extension Router {
  mutating func addPlainRoutes(_ context: WebContext) {
    let service = PlainService(context: context)
    on(.get, "/plain", service.page)
  }
}

/// Answers with pages that the server makes completely: for printing, text browsers, and screen
/// readers. Errors are pages, too.
struct PlainService: Sendable {
  let context: WebContext

  func page(_ request: ServerRequest) async -> ServerResponse {
    let query: PlainQuery
    do throws(ProblemDocument) {
      query = try PlainQuery(request.target)
    } catch {
      return response(error, nil)
    }
    let queue =
      query.id == nil ? context.queues.lists : context.items(for: query.id.map { Item.ID(printed: $0) })
    do throws(ProblemDocument) {
      return try await queue.run(request, settling: context.store) { () throws(ProblemDocument) in
        guard let id = query.id else { return try list(query) }
        return try item(Item.ID(printed: id), query)
      }
    } catch {
      return response(error, query)
    }
  }

  private func list(_ query: PlainQuery) throws(ProblemDocument) -> ServerResponse {
    let parameters = try query.parameters.over(context.base)
    let state = context.store.currentState
    let view = try parameters.definition(in: state.settings)
    let snapshot = ResultsSnapshot(of: state, request: view.request)
    try query.view.checkQuotes(snapshot.unquotedStrings)
    let list = PlainList(snapshot, query)
    return response(
      document(title: parameters.name.map { "\(context.name): \($0)" } ?? context.name, query, list.write))
  }

  /// Shows one item: its fields, its problems and its file.
  private func item(_ id: Item.ID, _ query: PlainQuery) throws(ProblemDocument) -> ServerResponse {
    let current = try CurrentItem(id, in: context.store)
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
