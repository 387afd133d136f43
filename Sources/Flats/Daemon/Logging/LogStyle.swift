import Glibc

/// The form of log lines.
package enum LogStyle: Sendable, Hashable {
  /// With the time, its zone and the level.
  case plain
  /// With the priority in front, as the journal reads it: it adds the time by itself.
  case journal

  /// Returns the style for standard error.
  ///
  /// - Parameter environment: The variable `JOURNAL_STREAM`, with which systemd names the device
  ///   and the inode of the stream that it connected. If output was redirected afterwards, the file
  ///   is different.
  package init(_ environment: [String: String]) {
    self.init(environment["JOURNAL_STREAM"], of: STDERR_FILENO)
  }

  /// Returns the style for a descriptor.
  init(_ journal: String?, of descriptor: CInt) {
    var status = stat()
    let isJournal = fstat(descriptor, &status) == 0 && journal == "\(status.st_dev):\(status.st_ino)"
    self = isJournal ? .journal : .plain
  }
}
