import Store

/// The parameters of a plain page, as they are written in its address. Empty ones, which a form
/// sends for empty fields, do not count, except the view: an empty one is the complete folder.
struct PlainQuery {
  let view: [RequestTarget.Parameter]
  let page: Int
  /// The item to show; nil for the list.
  let id: String?

  /// Reads the parameters of a target: 400 if `page` is not a number from 1.
  init(_ target: RequestTarget) throws(ProblemDocument) {
    let written = RequestTarget(
      path: target.path, parameters: target.parameters.filter { !$0.value.isEmpty || $0.name == "view" })
    view = written.parameters.filter { !["page", "id"].contains($0.name) }
    id = try written.value("id")
    guard let text = try written.value("page") else {
      page = 1
      return
    }
    guard let page = Int(text), page > 0 else {
      throw .parameter("page", "page: expected a number from 1, found `\(text)`.")
    }
    self.page = page
  }

  var parameters: ViewParameters {
    get throws(ProblemDocument) { try ViewParameters(RequestTarget(path: "/plain", parameters: view)) }
  }

  var viewName: String? { view.first { $0.name == "view" }?.value }

  /// Returns what a field of the form contains; empty for nothing.
  func value(_ name: String) -> String {
    let values = view.filter { $0.name == name }.map(\.value)
    return values.count > 1 ? values.map { "(\($0))" }.joined(separator: " AND ") : values.first ?? ""
  }

  func address(page: Int) -> String {
    PlainQuery.address("plain", view + (page > 1 ? [.init(name: "page", value: "\(page)")] : []))
  }

  /// Returns the address of an item, from which this list can be reached again.
  func address(item: Item.ID) -> String {
    PlainQuery.address("plain", [.init(name: "id", value: item.description)] + view)
  }

  var liveAddress: String { PlainQuery.address("./", view) }

  private static func address(_ path: String, _ parameters: [RequestTarget.Parameter]) -> String {
    if parameters.isEmpty { return path }
    return path + "?"
      + parameters.map { "\($0.name.queryEncoded)=\($0.value.queryEncoded)" }.joined(separator: "&")
  }
}
