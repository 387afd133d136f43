package import HTTPTypes

/// Answers the requests of all clients of one folder.
package struct WebServer: Responder {
  package let context: WebContext
  private var router = Router()

  /// - Parameter hasCommands: True for the routes of the command line, which are not for other programs.
  package init(_ context: WebContext, hasCommands: Bool = false) {
    self.context = context
    if hasCommands { router.addCommandRoutes(context) }
    router.addItemRoutes(context)
    router.addHistoryRoutes(context)
    router.addDescriptionRoutes(context)
    router.addStreamRoutes(context)
    router.addPageRoutes(context)
    router.addPlainRoutes(context)
  }

  package var operations: [(path: String, method: HTTPRequest.Method)] { router.operations }

  package func respond(to request: ServerRequest) async -> ServerResponse {
    await router.respond(to: request, counting: context.metrics)
  }
}
