package import Store

/// Counts the steps of one consumer, and makes the token of each.
package struct StreamPositions: Sendable {
  /// The number and the token of the last step. The first list of a new stream is 1.
  package private(set) var current: StreamPosition
  private let tokens: TokenSource
  /// The digest of the list at the position. Nil if it is not known yet, or if tokens have
  /// none.
  private var list: StreamDigest?

  /// Creates the position before the first step, or the one where an earlier run stopped.
  package init(at position: StreamPosition? = nil, tokens: TokenSource) {
    self.tokens = tokens
    current = position ?? StreamPosition(seq: 0, token: tokens.next(seq: 0))
  }

  /// Starts the first step, with a list. A repeated list keeps its number: it did not change.
  package mutating func begin(with list: ListSnapshot<Item>) {
    guard current.seq == 0 else { return }
    if tokens.hasDigests { self.list = StreamDigest(of: list) }
    advance()
  }

  package mutating func advance() {
    current.seq += 1
    moveToken()
  }

  package mutating func advance(with update: ListUpdate<Item>) {
    apply(update)
    advance()
  }

  /// Moves the token past an update that the consumer does not get. The number of the step stays.
  package mutating func skip(_ update: ListUpdate<Item>) {
    apply(update)
    moveToken()
  }

  private mutating func apply(_ update: ListUpdate<Item>) {
    if tokens.hasDigests, list?.apply(update) == nil { list = StreamDigest(of: update.new) }
  }

  package mutating func moveToken() {
    current.token = tokens.next(seq: current.seq, list)
  }
}

/// The position of a reader in a stream: the number of the last step, and its token.
public struct StreamPosition: Sendable, Hashable {
  /// The number of the step; the first snapshot is 1.
  public var seq: Int
  /// The token of the step, from which the stream can be resumed.
  public var token: String

  /// Makes a position that a reader stored.
  public init(seq: Int, token: String) {
    self.seq = seq
    self.token = token
  }
}
