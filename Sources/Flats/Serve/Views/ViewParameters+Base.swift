import HTTPTypes
import Store

extension ViewParameters {
  /// Returns the view of a client on top of the view of the command line.
  ///
  /// A client that names a view gets that one; the empty name is the complete folder. Otherwise
  /// each part that the client does not give comes from the command line.
  package func over(_ base: ViewParameters) -> ViewParameters {
    switch name {
    case nil: ViewParameters(name: base.name, own: base.own.overridden(by: own))
    case "": ViewParameters(own: own)
    default: self
    }
  }
}

extension ServerRequest {
  /// Reads the view of the request, and returns its definition.
  ///
  /// - Parameter context: The server's context, which has the settings and the view of the command line.
  /// - Throws: `ProblemDocument` (400) if a parameter is malformed, (404) if there is no such view.
  func view(_ context: WebContext, others: [String] = []) throws(ProblemDocument) -> ViewDefinition {
    try ViewParameters(target, others: others).over(context.base).definition(in: context.store.settings)
  }

  /// Returns the value of a parameter that the route needs.
  ///
  /// - Throws: `ProblemDocument` (400) if it is not there, or there twice.
  package func needed(_ name: String) throws(ProblemDocument) -> String {
    if let value = try target.value(name) { return value }
    throw ProblemDocument(
      .badRequest, "The parameter `\(name)` is missing. Write \(target.path)?\(name)=…",
      members: ["parameter": .string(name)])
  }
}
