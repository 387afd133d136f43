import DiffableSnapshot
import Store
import Streams
import Synchronization
import TestSupport
import Testing

@testable import StateStore

/// A folder with a state in it.
final class StateFixture: Sendable {
  let folder: TemporaryFolder
  let location: StateLocation
  private let sentences = Mutex<[String]>([])

  convenience init() throws {
    let folder = try TemporaryFolder()
    try self.init(folder, file: "\(folder.path)/state.db")
  }

  init(_ folder: TemporaryFolder, file: String) throws {
    self.folder = folder
    location = try StateLocation(file, root: "/", environment: ["XDG_STATE_HOME": "\(folder.path)/home"])
  }

  /// The digest of the list in the state.
  var known: KnownList { KnownList(of: location, home: "\(folder.path)/cache", minCount: 1) }

  /// What was reported.
  var reported: [String] { sentences.withLock { $0 } }

  static let view = Array("a view".utf8)

  func open(
    since token: String? = nil, view: [UInt8] = StateFixture.view, current: ListSnapshot<Item>? = nil,
    limits: History.Limits = History.Limits()
  ) throws -> ResumePoint {
    let current = current.map { (list: $0, known: known) }
    return try ConsumerState.open(
      location, view: view, request: RandomList.request, keepsOffers: true, since: token, current: current,
      limits: limits
    ) { sentence in
      self.sentences.withLock { $0.append(sentence) }
    }
  }

  /// Opens the state, begins with a list and acknowledges it.
  func begin(_ list: ListSnapshot<Item>, _ token: String = "t1") throws -> ConsumerState {
    let state = try #require(try open().state)
    state.begin(list, at: StreamPosition(seq: 1, token: token), isAcknowledged: false)
    #expect(state.acknowledge(token))
    return state
  }
}

extension ConsumerState {
  /// Offers the update from one list to another.
  func offer(from old: ListSnapshot<Item>, to new: ListSnapshot<Item>, _ token: String, seq: Int = 2) {
    offer(
      ListUpdate<Item>(from: old, to: new, touched: nil, origin: .files),
      at: StreamPosition(seq: seq, token: token))
  }
}

// Inlined, these properties make the optimiser of Swift 6.3.1 fail ("Found ownership error").
extension ResumePoint {
  /// The list and the position of a resumed consumer.
  @inline(never) var resumed: (list: ListSnapshot<Item>, position: StreamPosition)? {
    if case .resumed(let list, let position) = start { (list, position) } else { nil }
  }

  /// The reason why the position is gone.
  @inline(never) var gone: GoneReason? {
    if case .gone(let failure) = start { failure.reason } else { nil }
  }

  @inline(never) var isNew: Bool {
    if case .new = start { true } else { false }
  }
}
