import HTTPTypes
import Store
import Streams

extension Router {
  mutating func addPageRoutes(_ context: WebContext) {
    for asset in PageAsset.all where asset.name != PageAsset.page {
      on(.get, "/assets/\(asset.name)") { request throws(ProblemDocument) in try asset.response(to: request) }
    }
    guard let page = PageAsset.all.first(where: { $0.name == PageAsset.page })?.filled(for: context) else {
      return
    }
    on(.get, "/") { request throws(ProblemDocument) in
      // The page shows a mistake in its view, and asks for its item later.
      if request.head.method == .get,
        let view = try? ViewParameters(request.target, others: ["id", "widths"])
      {
        context.streams.prepareList(
          view.over(context.base), of: context.store, on: context.queues.pages)
      }
      return try page.response(to: request)
    }
  }
}

extension PageAsset {
  /// Returns the name of the page of a server, which differs for each folder, view and program. An
  /// open page compares it with that of the server to which it connects again.
  static func edition(path: String, base: ViewParameters, options: WebOptions) -> String {
    let parts = [path, view(of: base), "\(options.isReadOnly)"] + all.map { "\($0.tag)" }
    return ContentDigest(of: Array(parts.joined(separator: "\0").utf8)).text
  }

  private static func view(of base: ViewParameters) -> String {
    var view = base.own.written
    view["view"] = base.name.map(Value.string)
    return JSONWriter.text(of: .map(view))
  }

  /// Returns the page of a folder: the names in double braces are replaced.
  func filled(for context: WebContext) -> PageAsset {
    let values = [
      "folder": context.name, "title": DisplayText.safe(context.name, limit: .max), "page": context.page,
      "view": PageAsset.view(of: context.base), "read-only": context.options.isReadOnly ? "true" : "false",
    ]
    var page: [UInt8] = []
    var rest = bytes[...]
    while let start = rest.firstRange(of: "{{".utf8),
      let end = rest[start.upperBound...].firstRange(of: "}}".utf8)
    {
      page += rest[..<start.lowerBound]
      page +=
        (values[String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)] ?? "").utf8
        .escapedForHTML
      rest = rest[end.upperBound...]
    }
    return PageAsset(name: name, bytes: page + rest)
  }
}
