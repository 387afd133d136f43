/// The position of a reader in a stream: the number of the last step, and its token.
public struct StreamPosition: Sendable, Hashable {
  /// The number of the step; the first snapshot is 1.
  public var seq: Int
  /// The token of the step, from which the stream can be resumed.
  public var token: String

  package init(seq: Int, token: String) {
    self.seq = seq
    self.token = token
  }
}
