import HTTPTypes

/// Answers the requests of all clients of one folder.
package struct WebServer: Responder {
  /// What the routes share.
  package let context: WebContext
  private var router = Router()

  /// Makes a server for a folder.
  package init(_ context: WebContext) {
    self.context = context
    router.on(.get, "/health") { _ in ServerResponse(type: "application/json", Array("{\"status\":\"ok\"}\n".utf8)) }
    router.addItemRoutes(context)
    router.addStreamRoutes(context)
    router.addPageRoutes(context)
  }

  package func respond(to request: ServerRequest) async -> ServerResponse { await router.respond(to: request).withSafeHeaders() }
}
