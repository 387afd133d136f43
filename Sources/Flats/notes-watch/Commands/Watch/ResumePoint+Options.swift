import ArgumentParser
import Daemon
import Git
import Sinks
import StateStore
import Store
import Streams
import TextEdits
import Values

extension ResumePoint {
  /// Opens the state of `--state`, and finds the list of the token of `--since`.
  ///
  /// - Parameters:
  ///   - hasCommand: True if a command gets the updates.
  ///   - keepsOffers: True for a consumer that takes back what it was offered and did not acknowledge.
  /// - Throws: The exit code, after a message, if another process has the state, if its name is not
  ///   valid, or if a command with `--once` could not record what it gets.
  static func open(
    _ options: ResumeSettings, _ folder: FolderOptions, _ view: ViewOptions, _ cache: CacheOptions,
    _ session: Session, hasCommand: Bool,
    keepsOffers: Bool
  ) async throws -> ResumePoint {
    let identity = try ViewIdentity(folder, view)
    var point = try openState(options, folder.folder, identity, cache, session, keepsOffers: keepsOffers)
    if options.once, hasCommand { try point.checkIsRecorded("the command did not run", options) }
    switch point.start {
    case .resumed: break
    case .new: try await point.resume(options, identity, folder, session, else: nil)
    case .gone(let failure): try await point.resume(options, identity, folder, session, else: failure.reason)
    }
    return point
  }

  /// Checks that the state has everything that was delivered.
  ///
  /// - Throws: The exit code, after a message, if it does not.
  /// - Parameter effect: The consequence, for the message.
  func checkIsRecorded(_ effect: String, _ options: ResumeSettings) throws {
    if options.state != nil, state?.isRecorded != true { throw ResumePoint.unrecorded(effect, options) }
  }

  /// Reports that the state could not be written, and returns the exit code.
  static func unrecorded(_ effect: String, _ options: ResumeSettings) -> ExitCode {
    Failure.report(
      .cannotCreate,
      "--once: The position could not be recorded in the state `\(options.state ?? "")`, so \(effect).")
  }

  private static func openState(
    _ options: ResumeSettings, _ folder: String, _ view: ViewIdentity, _ cache: CacheOptions,
    _ session: Session,
    keepsOffers: Bool
  ) throws -> ResumePoint {
    guard let name = options.state else { return ResumePoint() }
    do throws(StateError) {
      let location = try StateLocation(
        name, root: folder, environment: Environment.values(of: ["XDG_STATE_HOME", "HOME"]))
      let report: @Sendable (String) -> Void = { StandardError.reportLine("\($0)") }
      let current = cache.knownList(of: location).map { (session.results.snapshot, $0) }
      return try ConsumerState.open(
        location, view: view.bytes, request: session.results.request, keepsOffers: keepsOffers,
        since: options.since, current: current,
        report: report)
    } catch {
      if error.code == .noHome {
        StandardError.reportLine("--state: \(error)")
        return ResumePoint()
      }
      throw Failure(error.code == .badName ? .usage : .tryAgain, "--state: \(error)")
    }
  }

  /// Finds the list of the token of `--since` without the state.
  ///
  /// - Parameter reason: The reason why the state has no position; nil if it is new or not used.
  private mutating func resume(
    _ options: ResumeSettings, _ view: ViewIdentity, _ folder: FolderOptions, _ session: Session,
    else reason: GoneReason?
  ) async throws {
    guard let text = options.since else { return }
    let search = TokenResume(in: folder.folder, try folder.storeOptions(), view, resolving: session.request)
    start = await search.find(text)
    switch start {
    case .resumed(let list, let position): state?.begin(list, at: position, isAcknowledged: true)
    case .gone(let failure) where failure.reason == .unknownToken && StreamToken(parsing: text) != nil:
      if let reason { start = .gone(ResumeFailure(reason, token: text)) }
    case .new, .gone: break
    }
  }
}

extension ViewIdentity {
  /// Makes the identity of what the options of a command ask for.
  init(_ folder: FolderOptions, _ view: ViewOptions) throws {
    self.init(
      view: view.viewName, overriddenBy: try view.definition(), idField: folder.idField,
      maxSize: folder.maxSize?.bytes)
  }
}
