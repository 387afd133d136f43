import HTTPTypes
import Printing
import Store
import Survey
import Streams

extension Router {
  /// Adds the routes of `list --connect` and `watch --connect`: a list with everything that is known
  /// of it, and a stream that control lines change.
  mutating func addCommandRoutes(_ context: WebContext) {
    on(.post, "/stream", context.controlledStream)
    on(.post, "/stream/lines", context.control)
    on(.post, "/list") { request throws(ProblemDocument) in
      try request.target.allowOnly(["name"])
      let name = try request.target.value("name") ?? context.name
      let view = try await request.requestedView(context)
      return try await context.queues.lists.run(request) { () throws(ProblemDocument) in
        // The list has everything that was written before the request.
        await context.store.settled()
        let list = try await PackedList(view.parameters, of: context, named: name)
        return ServerResponse(.ok, [.contentType: "application/octet-stream"], .pieces(list.pieces))
      }
    }
  }
}

extension PackedList {
  /// The list that `list` prints, with what it says. Throws where `list` would not open the folder, or
  /// refuses the view. `name` is the folder as the user typed it.
  init(_ parameters: ViewParameters, of context: WebContext, named name: String)
    async throws(ProblemDocument)
  {
    let folder = FolderName(name)
    let state = await context.store.freshState()
    if let problem = state.folderProblem {
      throw ProblemDocument(.serviceUnavailable, problem.message, code: "missing")
    }
    // Wrong single views are the business of those who ask for them.
    if let problem = state.problem(at: PathRules.settingsPath), problem.settingsError?.isInView != true {
      throw .badView(folder.description(of: problem))
    }
    let view: ViewDefinition
    do throws(SettingsError) {
      view = try parameters.resolver()(state.settings)
    } catch {
      if error.isMismatch {
        self.init(view: parameters.own.written, messages: ["--\(error)"], code: 64, nil)
        return
      }
      throw .badView(error, in: context.store, named: name)
    }
    let snapshot = ListSnapshot<Item>(of: state, request: view.request)
    if let message = parameters.own.refusal(of: snapshot.unquotedStrings) {
      self.init(view: view.written, messages: [message], code: 65, nil)
      return
    }
    var messages = snapshot.problems.map(folder.description)
    for warning in state.frontMatterWarnings {
      messages.append("warning: \(folder.path(of: warning.path)): \(warning.message)")
    }
    messages += snapshot.hintMessages
    if let hint = snapshot.request.predicate?.consumeHint() { messages.append("hint: \(hint)") }
    self.init(view: view.written, messages: messages, snapshot)
  }
}

extension ProblemDocument {
  /// The problem of a view that the settings do not allow, with its place in them, as `list` reports it.
  static func badView(_ error: SettingsError, in store: ItemStore, named name: String) -> ProblemDocument {
    badView(store.problem(of: error).map { FolderName(name).description(of: $0) } ?? error.advice)
  }
}
