package import Store

/// A record of what a consumer was offered and what it acknowledged, so that it can resume after a
/// restart.
///
/// Each call blocks until the record is durable. A log reports its own failures; they never end the
/// stream.
package protocol DeliveryLog: Sendable {
  /// Starts the record with the list that the consumer gets first, in the place of everything that was
  /// recorded before. If the consumer has the list already, that is recorded in one step: a record
  /// without any acknowledgement would be that of a new consumer.
  func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool)

  /// Records an update that is about to be delivered, and that its rows were offered. It is from the
  /// list that was offered last, or from the one that was acknowledged last; the log finds the
  /// difference itself. The position is that of a consumer that has the update.
  func offer(_ update: ListUpdate<Item>, at position: StreamPosition)

  /// True if everything is durable; false if the last record failed.
  var isRecorded: Bool { get }

  /// Records that the consumer has everything up to a token; false if the token is unknown.
  func acknowledge(_ token: String) -> Bool

  /// Records that the reader acknowledges by itself: what is written to it does not count, in this
  /// run and in later ones.
  func requireAcknowledgements()

  /// Records that the consumer has everything up to a token, and nothing after it: a later position
  /// that was acknowledged for it is taken back. A token before `start`, from which the consumer
  /// resumed, means that one. Returns false if the token is unknown.
  func takeBack(to token: String, from start: String?) -> Bool
}
