import Printing
import Store
import Values

/// One item as a page: its fields, its problems and its file.
struct PlainItem {
  private let current: CurrentItem
  private let query: PlainQuery

  /// Shows an item.
  init(_ current: CurrentItem, _ query: PlainQuery) {
    self.current = current
    self.query = query
  }

  /// The title of the page.
  var title: String { current.item.id.description }

  /// Writes the page.
  func write(to html: inout HTMLWriter) {
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
    for (key, value) in current.fields {
      html.markup("<tr><th scope=\"row\">")
      html.text(key)
      html.markup("</th><td>")
      if case .string(let text) = value, text.utf8.contains(UInt8(ascii: "\n")) {
        html.markup("<pre>")
        html.lines(Array(text.utf8))
        html.markup("</pre>")
      } else {
        html.text(value.cellText)
      }
      html.markup("</td></tr>\n")
    }
    html.markup("</tbody>\n</table>\n<h2>Source</h2>\n<pre>")
    html.lines(current.text.bytes)
    html.markup("</pre>\n")
  }
}
