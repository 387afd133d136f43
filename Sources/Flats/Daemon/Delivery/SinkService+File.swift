import Scripts
import Printing
import StateStore
import Store
import Streams

extension SinkService {
  /// Appends until the task is cancelled. Returns what to wait for; nil for a delay.
  func append(to target: SinkFile, _ results: LiveList<Item>) async -> Pause? {
    let file: StreamFile
    do throws(StateError) {
      file = try StreamFile(target.path)
      StreamFile.syncFolder(of: target.path)
    } catch {
      fail(sentence(about: target, error))
      return nil
    }
    guard let opened = openState(results, keepsOffers: false, since: file.lastToken) else { return nil }
    var point = opened.point
    defer { point.state?.close() }
    // Without a position in the file, the list is written again, whatever the state says.
    if file.lastToken == nil { point.start = .new }
    if case .gone(let failure) = point.start { report(failure.description) }
    let view = (try? configuration.view.definition(folder.store.settings))?.written ?? [:]
    var delivery = FileDelivery(
      file, target, root: folder.path, view: view, point, opened.tokens, clock: environment.clock)
    let subscription = point.start.subscription(to: results)
    start.open()
    var isBegun = false
    while !Task.isCancelled {
      let event = subscription.consumeEvent()
      // The first attempt counts for the latency, not what made it fail.
      var failed: SuspendingClock.Instant?
      if event != nil { record(.changed) }
      while !Task.isCancelled, event != nil || !isBegun {
        do throws(StateError) {
          if isBegun { if let event { try delivery.deliver(event) } } else { try delivery.begin(event) }
          isBegun = true
          if let list = delivery.list { record(.advanced(delivery.position, list)) }
          record(.state(.idle))
          if let failure = delivery.rotationFailure {
            warn("A new file cannot be started after \(target.path): \(failure).")
          }
          if let event { meter.record(event, at: failed ?? .now) }
          break
        } catch {
          failed = failed ?? .now
          fail(sentence(about: target, error), as: .waiting)
          // Somebody may remove the file meanwhile, so the first lines are tried with a new one.
          if !isBegun { return nil }
          await wait(for: .delay(retryDelay()))
        }
      }
      hint(about: results)
      _ = await subscription.hasStep()
    }
    return .request
  }

  private func sentence(about file: SinkFile, _ failure: StateError) -> String {
    "The file \(file.path) cannot be written: \(failure). It will be retried; nothing is lost."
  }
}
