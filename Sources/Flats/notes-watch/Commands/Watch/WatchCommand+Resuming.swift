import ArgumentParser
import Daemon
import Git
import StateStore
import Store
import Streams

extension WatchCommand {
  private var identity: ViewIdentity {
    get throws {
      ViewIdentity(
        view: view.viewName, overriddenBy: try view.definition(), idField: folder.reading.idField,
        maxSize: folder.reading.maxSize?.bytes)
    }
  }

  /// Opens the state of `--state`, and finds the list of the token of `--since`.
  func resumePoint(_ session: Session) async throws -> ResumePoint {
    var point = try openState(session)
    if resume.once, !command.isEmpty { try checkIsRecorded(point, "the command did not run") }
    switch point.start {
    case .resumed: break
    case .new: try await find(session, &point, else: nil)
    case .gone(let failure): try await find(session, &point, else: failure.reason)
    }
    return point
  }

  /// Throws, with the consequence, if the state lacks something that was delivered.
  func checkIsRecorded(_ point: ResumePoint, _ effect: String) throws {
    if resume.state != nil, point.state?.isRecorded != true { throw unrecorded(effect) }
  }

  func unrecorded(_ effect: String) -> ExitCode {
    Failure.report(
      .cannotCreate,
      "--once: The position could not be recorded in the state `\(resume.state ?? "")`, so \(effect).")
  }

  private func openState(_ session: Session) throws -> ResumePoint {
    let identity = try identity
    guard let name = resume.state else { return ResumePoint() }
    do throws(StateError) {
      let location = try StateLocation(
        name, root: folder.folder, environment: Environment.values(of: ["XDG_STATE_HOME", "HOME"]))
      // A command, or a reader that acknowledges, takes back what it was offered.
      return try ConsumerState.open(
        location, view: identity.bytes, request: session.results.request,
        keepsOffers: !command.isEmpty || control, since: resume.since,
        current: cache.knownList(of: location).map { (session.results.snapshot, $0) },
        report: { StandardError.reportLine("\($0)") })
    } catch {
      if error.code == .noHome {
        StandardError.reportLine("--state: \(error)")
        return ResumePoint()
      }
      throw Failure(error.code == .badName ? .usage : .tryAgain, "--state: \(error)")
    }
  }

  /// Without the state: `reason` says why that has no position; nil if it is new or not used.
  private func find(_ session: Session, _ point: inout ResumePoint, else reason: GoneReason?) async throws {
    guard let text = resume.since else { return }
    point.start = await StreamStart.find(
      text, view: try identity.hash,
      committedList: RevisionList.committed(
        in: folder.folder, try folder.storeOptions(), resolving: session.request))
    switch point.start {
    case .resumed(let list, let position): point.state?.begin(list, at: position, isAcknowledged: true)
    case .gone(let failure) where failure.reason == .unknownToken && StreamToken(parsing: text) != nil:
      if let reason { point.start = .gone(ResumeFailure(reason, token: text)) }
    case .new, .gone: break
    }
  }

  func tokens(from point: ResumePoint) throws -> TokenSource {
    TokenSource(
      view: try identity.hash, hasDigests: point.state != nil, at: HeadReader(above: folder.folder))
  }
}
