import Glibc
package import Store
package import Streams

extension ConsumerState {
  /// Opens the state of a consumer, or creates it.
  ///
  /// - Parameters:
  ///   - view: The canonical bytes of everything that determines what the list shows.
  ///   - keepsOffers: True if the consumer takes back what it was offered and did not acknowledge.
  ///   - token: The token after which the consumer resumes; nil for the one that it acknowledged
  ///     last. The list of a given token counts as acknowledged from then on.
  ///   - current: The list as it is now, and the digest that shows that the consumer has it; nil to
  ///     read the consumer's list in any case.
  /// - Throws: `StateError` with the code `locked` if the state is open already, here or elsewhere.
  package static func open(
    _ location: StateLocation, view: [UInt8], request: FetchRequest, keepsOffers: Bool, since token: String?,
    current: (list: ListSnapshot<Item>, known: KnownList)? = nil, limits: History.Limits = .standard,
    report: @escaping @Sendable (String) -> Void
  ) throws(StateError) -> ResumePoint {
    let file: StateFile
    do {
      file = try StateFile(location)
    } catch {
      let reason = "its folder \(location.folder) cannot be opened (\(error.reason))"
      report("The state \(location.name) cannot be used: \(reason). Nothing is recorded in it.")
      return ResumePoint(token == nil ? .new : .gone(ResumeFailure(.unknownToken, state: location.name)))
    }
    if !file.claim() { throw lockedError(location, by: getpid()) }
    var recorder = Recorder(
      file, name: location.name, view: ContentDigest(of: view).bytes, request: request, limits: limits,
      keepsOffers: keepsOffers,
      current: current)
    do {
      let (start, canRecord) = try recorder.open(since: token)
      for sentence in recorder.removeSentences() { report(sentence) }
      if !canRecord { recorder.close() }
      let offer = recorder.openedOffer
      let readerAcknowledges = recorder.readerAcknowledges
      let state = canRecord ? ConsumerState(recorder, report: report) : nil
      return ResumePoint(start, offering: offer, state: state, readerAcknowledges: readerAcknowledges)
    } catch {
      let process = file.owner().flatMap { $0 > 0 ? $0 : nil }
      recorder.close()
      throw lockedError(location, by: process)
    }
  }

  private static func lockedError(_ location: StateLocation, by process: pid_t?) -> StateError {
    let owner = process.map { "process \($0)" } ?? "another process"
    return StateError(
      .locked(process: process),
      "\(owner) uses the state `\(location.name)` now. Stop it, or give this consumer another name.")
  }
}

/// The position from which a consumer resumes, and the record of its positions.
package struct ResumePoint {
  /// The position, and the list of the consumer. If it is gone, the state stays as it is until
  /// `begin` replaces it.
  package var start: StreamStart
  /// The rows that were offered since the position and not acknowledged.
  package let offer: Offer
  /// The state in which deliveries are recorded; nil without one, or if none can be recorded, which
  /// was reported.
  package let state: ConsumerState?
  /// True if the reader acknowledged by itself in an earlier run.
  package let readerAcknowledges: Bool

  package init(
    _ start: StreamStart = .new, offering offer: Offer = Offer(), state: ConsumerState? = nil,
    readerAcknowledges: Bool = false
  ) {
    self.start = start
    self.offer = offer
    self.state = state
    self.readerAcknowledges = readerAcknowledges
  }
}
