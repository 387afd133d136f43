import Glibc
package import Store
package import Streams
import Synchronization

/// The state of one consumer of a list in a database file: what it has acknowledged, what it was
/// offered since then, and how to go back to earlier lists.
///
/// Each call returns when its record is on the disk. If the record cannot be written, the failure
/// is reported once, the stream continues, and each later call tries again. The file then keeps an
/// older position, so nothing is lost. If a write fails for another reason than a full disk, the
/// content of the file is unknown, and a new file is written from memory.
///
/// Close it just before the process ends, or when its consumer has ended. Nothing may be delivered
/// after `close()`, because it would not be recorded, so each later call waits for the end of the
/// process.
package final class ConsumerState: DeliveryLog {
  private let report: @Sendable (String) -> Void
  /// Lock: guards what a consumer was offered and acknowledged, and its database. The state is
  /// written, and `StateFile.openPaths` is locked, under it.
  private let recorder: Mutex<Recorder>

  init(_ recorder: sending Recorder, report: @escaping @Sendable (String) -> Void) {
    self.recorder = Mutex(recorder)
    self.report = report
  }

  deinit {
    close()
  }

  package func begin(_ list: ListSnapshot<Item>, at position: StreamPosition, isAcknowledged: Bool) {
    change { $0.begin(list, at: position, isAcknowledged: isAcknowledged) }
  }

  package func offer(_ update: ListUpdate<Item>, at position: StreamPosition) {
    change { $0.offer(update, at: position) }
  }

  package func acknowledge(_ token: String) -> Bool {
    change { $0.acknowledge(token) }
  }

  package func requireAcknowledgements() {
    change { $0.requireAcknowledgements() }
  }

  package func takeBack(to token: String, from start: String?) -> Bool {
    change { $0.takeBack(to: token, from: start) }
  }

  /// True if everything is on the disk; false if the last write failed.
  package var isRecorded: Bool { recorder.withLock { !$0.hasFailed } }

  /// Writes what is not written yet, and releases the file.
  package func close() {
    let sentences = recorder.withLock { recorder in
      recorder.close()
      return recorder.removeSentences()
    }
    for sentence in sentences { report(sentence) }
  }

  /// Changes the record, and reports what there is to report after the lock is released.
  private func change<Result: Sendable>(_ body: @Sendable (inout Recorder) -> Result) -> Result {
    let outcome: (result: Result, sentences: [String])? = recorder.withLock { recorder in
      recorder.isClosed ? nil : (body(&recorder), recorder.removeSentences())
    }
    guard let outcome else { while true { pause() } }
    for sentence in outcome.sentences { report(sentence) }
    return outcome.result
  }
}
