import Files
import HTTPTypes
import Store
import Values

/// The frame of a plain page: its head, its title, and the form that asks for another view.
extension PlainService {
  /// The parameters that the form has no field for and sends along.
  private static let hidden = ["section-order", "search-fields", "fields", "limit", "offset"]

  /// Returns a complete page.
  ///
  /// - Parameters:
  ///   - query: The parameters of the page; nil for one without a form.
  ///   - body: Writes what comes after the form.
  func document(title: String, _ query: PlainQuery?, _ body: (inout HTMLWriter) -> Void) -> [UInt8] {
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
    writeField("Search", "search", query, &html)
    writeField("Sort", "sort", query, &html)
    writeField("Section", "section", query, &html)
    writeField("Where", "where", query, &html)
    writeViews(query, &html)
    for name in PlainService.hidden where !query.value(name).isEmpty {
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
    let views = context.store.settings.views.keys.sorted()
    if views.isEmpty { return }
    html.markup("<label>View <select name=\"view\">\n<option value=\"\">none</option>\n")
    for view in views {
      html.markup("<option")
      html.attribute("value", view)
      if (query.viewName ?? context.base.name) == view { html.markup(" selected") }
      html.markup(">")
      html.text(view)
      html.close("option")
    }
    html.markup("</select></label>\n")
  }

  /// Returns the page of an error. A predicate is shown with a mark at the column of its error.
  func document(of problem: ProblemDocument, _ query: PlainQuery?) -> [UInt8] {
    document(title: "\(context.name): \(problem.status.reasonPhrase)", query) { html in
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
