import Glibc
import LinuxFiles
import PlainStore
import SystemPackage
import TerminalView

/// Joins the model of `browse --linear` with the list, the input and the output.
///
/// It waits in `poll(2)` for input and for the list. What was typed before something is printed is
/// handled first: a number means what it meant when the person typed it.
struct LinearLoop {
  /// Edits items in the person's editor, and returns what became of it.
  typealias Edit = ([PaintedItem], ItemStore) async -> ActionOutcome

  private var browser: LinearBrowser
  private let source: ListSource
  private let output: CInt
  private let edit: Edit

  /// Creates a loop.
  ///
  /// - Parameters:
  ///   - output: The descriptor to which everything is printed.
  ///   - edit: Runs the editor. Nothing else happens in the meantime.
  init(_ source: ListSource, _ options: LinearBrowser.Options, output: CInt, edit: @escaping Edit) {
    browser = LinearBrowser(options)
    (self.source, self.output, self.edit) = (source, output, edit)
  }

  /// Runs until the person quits, chooses items, or the input ends. Returns the newest list, too.
  ///
  /// - Throws: The error because of which there is no list, or an `OutputError`.
  mutating func run() async throws -> (end: BrowseEnd, list: ResultsSnapshot?) {
    let wakeup = Wakeup()
    let follower = ListFollower(source) { wakeup.counter.signal() }
    var input = LinearInput(STDIN_FILENO)
    var reportedEnd = false
    follower.start()
    defer { follower.stop() }
    while true {
      for line in input.lines() {
        if let end = try await perform(browser.handle(.line(line)), follower) { return (end, browser.report?.snapshot) }
      }
      if input.isOver, !reportedEnd {
        reportedEnd = true
        if let end = try await perform(browser.handle(.endOfInput), follower) { return (end, browser.report?.snapshot) }
      }
      for event in try follower.takeEvents().compactMap(LinearBrowser.Event.init) {
        if let end = try await perform(browser.handle(event), follower) { return (end, browser.report?.snapshot) }
      }
      wait(for: input, wakeup)
    }
  }

  /// Waits until there is input, or something from the list.
  private func wait(for input: LinearInput, _ wakeup: Wakeup) {
    var descriptors = [pollfd(fd: wakeup.counter.raw, events: Int16(POLLIN), revents: 0)]
    if !input.isOver { descriptors.append(pollfd(fd: input.descriptor, events: Int16(POLLIN), revents: 0)) }
    // An interrupted wait ends like any other: both are asked again.
    _ = poll(&descriptors, nfds_t(descriptors.count), -1)
    wakeup.counter.clear()
  }

  /// Does what the model asks for. Returns how the program ends, if it does.
  private mutating func perform(_ effects: [LinearBrowser.Effect], _ follower: ListFollower) async throws -> BrowseEnd? {
    var effects = effects[...]
    while let effect = effects.popFirst() {
      switch effect {
      case .print(let line): try write(line)
      case .screen(.change(let change)): follower.change(change)
      case .screen(.load(let id)): follower.load(id)
      case .screen(.act(.edit(let items))):
        guard let store = follower.store else { break }
        let outcome = await edit(items, store)
        effects += browser.handle(.outcome(outcome))
      case .screen(.act(let action)): follower.perform(action)
      case .screen(.quit(let end)):
        await follower.finishActions()
        return end
      case .screen: break
      }
    }
    return nil
  }

  private func write(_ line: String) throws { try write(bytes: Array("\(line)\n".utf8)) }

  private func write(bytes: [UInt8]) throws {
    do throws(Errno) { try FileDescriptor(rawValue: output).write(all: bytes) } catch { throw OutputError(error: error) }
  }
}

/// What ends the wait of the loop from other threads.
private final class Wakeup: Sendable {
  let counter = EventCounter()
}

extension LinearBrowser.Event {
  /// Creates the event of the follower; nil if it says nothing to a listener.
  fileprivate init?(_ event: ScreenEvent) {
    switch event {
    case .list(let report): self = .list(report)
    case .document(let document): self = .document(document)
    case .outcome(let outcome): self = .outcome(outcome)
    default: return nil
    }
  }
}
