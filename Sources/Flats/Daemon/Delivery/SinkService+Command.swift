import Printing
import Git
import Logging
import Scripts
import StateStore
import Store
import Streams

extension SinkService {
  /// Delivers until the sink ends. Returns what to wait for; nil for a delay.
  func run(_ command: SinkCommand, _ results: LiveList<Item>) async -> Pause? {
    if let refusal = command.refusal {
      fail(refusal)
      return .request
    }
    guard let (point, tokens) = openState(results, keepsOffers: true) else { return nil }
    defer { point.state?.close() }
    if case .gone(let failure) = point.start { report(failure.description) }
    let label = command.label ?? configuration.name
    let retry = "Continue with `notes-watch retry \(folder.path) \(configuration.name)` or SIGHUP."
    let advice = (stop: "The sink stops. \(retry)", parked: retry)
    let launch = CommandLaunch(
      command.words, output: .standardError, directory: command.directory, advice: advice
    ) { [weak self] bytes in
      self?.add(output: bytes, label: label)
    }
    let sink = CommandSink(
      launch, command.options, root: folder.root, tokens: tokens, reportsProblems: false,
      clock: environment.clock, onEvent: { [meter] in meter.record($0) },
      onProgress: { [weak self] in self?.record($0) },
      report: { [weak self] in self?.report($0) })
    // This must come before the first `await`, so that the command gets every change from here on.
    let first = ScriptStart(
      point.start, offering: point.offer, of: results, runsInitially: command.options.runsInitially,
      log: point.state)
    set(command: sink)
    start.open()
    let end = await sink.follow(first) { [weak self] in self?.hint(about: results) }
    set(command: nil)
    if case .status = end { stopped() }
    return .request
  }

  func hint(about results: LiveList<Item>) {
    if let hint = results.request.predicate?.consumeHint() {
      environment.log.notice("\(folder.root): \(hint)")
    }
  }

  /// Opens the recorded position of the sink, or that of `token`, which the sink certainly has; nil if
  /// another process uses the state. Without a folder for states, nothing is recorded. A sink that
  /// `keepsOffers` takes back what it was offered and did not acknowledge.
  func openState(
    _ results: LiveList<Item>, keepsOffers: Bool, since token: String? = nil
  ) -> (point: ResumePoint, tokens: TokenSource)? {
    let identity = configuration.view.identity(folder.settings)
    var point = ResumePoint()
    do throws(StateError) {
      let location = try StateLocation(
        configuration.name, root: folder.root, environment: environment.variables)
      let current = environment.knownList(location).map { (results.snapshot, $0) }
      point = try ConsumerState.open(
        location, view: identity.bytes, request: results.request, keepsOffers: keepsOffers, since: token,
        current: token == nil ? current : nil, report: { [weak self] in self?.report($0) })
    } catch {
      if case .locked = error.code {
        fail(error.message)
        return nil
      }
      report(error.message)
    }
    let head = HeadReader(above: folder.root)
    return (point, TokenSource(view: identity.hash, hasDigests: point.state != nil, at: head))
  }
}

extension SinkView {
  /// Everything that determines what the list shows.
  fileprivate func identity(_ settings: FolderSettings) -> ViewIdentity {
    let (name, own): (String?, ViewDefinition) =
      switch self {
      case .all: (nil, ViewDefinition())
      case .named(let name): (name, ViewDefinition())
      case .defined(let view): (nil, view)
      }
    return ViewIdentity(view: name, overriddenBy: own, idField: settings.idField, maxSize: settings.maxSize)
  }
}
