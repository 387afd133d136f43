import Files
import PlainStore
import Sinks
import Streams
import Values

/// The list that a client asked for: its folder, and the rule that makes its view.
struct RequestedList: Sendable {
  /// The request of the client.
  let request: ViewRequest
  /// The folder that the request names.
  let folder: ServedFolder
  /// Makes a view from the settings, with the parts that the client gives.
  let resolve: ControlledView.Resolver

  /// Finds the folder of a request.
  ///
  /// - Throws: `RequestError` if there is none, or if the client asks for other ids than the daemon
  ///   has.
  init(_ request: ViewRequest, _ handler: any ServerHandler) throws(RequestError) {
    self.request = request
    switch handler.folder(at: request.folder) {
    case .open(let folder): self.folder = folder
    case .waiting(let reason): throw RequestError(.notReady, "\(request.folder) is not open yet: \(reason)")
    case .unknown(let configured):
      let known = configured.isEmpty ? "no folders" : configured.joined(separator: ", ")
      throw RequestError(
        .unknownFolder,
        "The daemon does not serve \(request.folder), but \(known). Add the folder to the daemon's configuration, or leave --connect out."
      )
    }
    let name = request.name
    resolve = { own in
      { settings throws(SettingsError) in
        try name.map { name throws(SettingsError) in try settings.view(named: name).overridden(by: own) }
          ?? own
      }
    }
    try checkAgreement()
  }

  private func checkAgreement() throws(RequestError) {
    if let size = request.maxSize, size != folder.maxSize {
      throw RequestError(
        .mismatch,
        "The daemon reads files of \(request.folder) up to \(folder.maxSize) bytes, not \(size). "
          + "Leave --max-size out, or change `max-size` in the daemon's configuration.")
    }
    guard let text = request.idField else { return }
    let (asked, own): ([FieldPath], [FieldPath])
    do throws(SettingsError) {
      asked = try ViewDefinition.idFields(text)
      own =
        try folder.idField.map { own throws(SettingsError) in try ViewDefinition.idFields(own) }
        ?? folder.store.settings.idFields
    } catch {
      throw RequestError(.badRequest, "id-field: \(error.message)")
    }
    if asked == own { return }
    let rule =
      own.isEmpty ? "the paths of the files" : "the fields \(own.map { "`\($0)`" }.joined(separator: ", "))"
    throw RequestError(
      .mismatch,
      "The daemon makes the ids of \(request.folder) of \(rule), not of `\(text)`. "
        + "Leave --id-field out, or change `id-field` in the daemon's configuration.")
  }

  /// Makes the list's request from the settings.
  var fetchRequest: RequestResolver {
    let resolver = resolve(request.own)
    return { settings throws(SettingsError) in try resolver(settings).request }
  }

  /// Opens the live list.
  func open() throws(RequestError) -> FetchedResults {
    do throws(SettingsError) {
      return try folder.store.results(fetchRequest)
    } catch {
      throw refusal(error)
    }
  }

  /// Returns the refusal for a view that the settings do not allow, in the words of `list`.
  func refusal(_ error: SettingsError, named name: String? = nil) -> RequestError {
    if let problem = folder.store.problem(of: error) {
      return RequestError(.badView, FolderName(name ?? request.folder).description(of: problem))
    }
    return RequestError(.badView, error.advice)
  }

  /// The view at the start.
  var view: ViewDefinition { (try? resolve(request.own)(folder.store.settings)) ?? request.own }

  /// The identity of the view, to which positions belong. It is that of a watch without a daemon
  /// with the same options.
  var identity: ViewIdentity {
    let size = folder.maxSize == ReadLimits().maxSize ? nil : folder.maxSize
    return ViewIdentity(view: request.name, overriddenBy: request.own, idField: folder.idField, maxSize: size)
  }

  /// The options with which the folder's commits are read.
  var storeOptions: StoreOptions {
    var options = StoreOptions()
    options.limits = ReadLimits(maxSize: folder.maxSize)
    options.idFields = folder.idField.flatMap { try? ViewDefinition.idFields($0) }
    return options
  }
}
