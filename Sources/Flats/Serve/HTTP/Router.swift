package import HTTPTypes

/// Finds the route of a request by its path and method.
package struct Router: Responder {
  package typealias Answer = @Sendable (ServerRequest) async throws(ProblemDocument) -> ServerResponse

  private var routes: [String: [HTTPRequest.Method: Answer]] = [:]

  package init() {}

  /// Adds a route. `HEAD` is answered as `GET`, without the body, unless there is a route for it.
  package mutating func on(_ method: HTTPRequest.Method, _ path: String, _ answer: @escaping Answer) {
    routes[path, default: [:]][method] = answer
  }

  /// The paths and methods that have an answer, without `HEAD`.
  package var operations: [(path: String, method: HTTPRequest.Method)] {
    routes.flatMap { path, methods in methods.keys.map { (path, $0) } }
  }

  package func respond(to request: ServerRequest) async -> ServerResponse {
    do throws(ProblemDocument) {
      return try await answer(request)(request)
    } catch {
      return error.response
    }
  }

  func respond(to request: ServerRequest, counting metrics: WebMetrics) async -> ServerResponse {
    let response = await respond(to: request)
    let path = request.target.path
    metrics.record(
      route: routes[path] == nil ? nil : path, method: request.head.method.rawValue,
      status: response.head.status.code)
    return response
  }

  private func answer(_ request: ServerRequest) throws(ProblemDocument) -> Answer {
    let path = request.target.path
    guard let methods = routes[path] else {
      let known = routes.keys.filter { !$0.hasPrefix("/assets/") }.sorted().joined(separator: ", ")
      throw ProblemDocument(.notFound, "There is no `\(path)` here. The routes are \(known).")
    }
    let method = request.head.method
    if let answer = methods[method] ?? (method == .head ? methods[.get] : nil) { return answer }
    let allowed = (methods.keys.map(\.rawValue) + (methods[.get] == nil ? [] : ["HEAD"])).sorted().joined(
      separator: ", ")
    throw ProblemDocument(
      .methodNotAllowed, "`\(path)` does not answer \(method.rawValue), but \(allowed).",
      fields: [.allow: allowed])
  }
}
