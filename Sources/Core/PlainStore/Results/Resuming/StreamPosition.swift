/// The position of a reader in a stream: the number of the last step, and its token.
package struct StreamPosition: Sendable, Hashable {
  /// The number of the step; the first snapshot is 1.
  package var seq: Int
  /// The token of the step, from which the stream can be resumed.
  package var token: String

  /// Creates a position.
  package init(seq: Int, token: String) {
    self.seq = seq
    self.token = token
  }
}
