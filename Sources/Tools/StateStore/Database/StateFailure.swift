import CSQLite
import Files
import SystemPackage

/// The reason why the database cannot be read or written.
enum StateFailure: Error {
  /// Another connection has it open.
  case locked
  /// Its content contradicts itself, or is not that of a database.
  case damaged
  /// A newer version of this program wrote it.
  case newer
  /// The disk is full. The transaction was undone.
  case full
  /// The system refuses access, with the reason as the end of a sentence.
  case refused(String)

  /// Returns the failure that an error of SQLite or of the system means.
  init(_ error: any Error) {
    switch error {
    case let failure as StateFailure: self = failure
    case let error as Errno: self = error == .noSpace ? .full : .refused(error.reason)
    case let error as SQLiteError: self.init(error)
    default: self = .damaged
    }
  }

  private init(_ error: SQLiteError) {
    switch error.code {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
      self = .refused("the file or its folder cannot be written")
    case SQLITE_IOERR: self = .refused("the disk reports an input/output error")
    case SQLITE_NOMEM: self = .refused(Errno.noMemory.reason)
    default: self = .damaged
    }
  }

  /// True if the disk is full.
  var isFullDisk: Bool {
    if case .full = self { true } else { false }
  }

  /// The end of a sentence about the reason why nothing can be recorded.
  var reason: String {
    switch self {
    case .locked: "another process uses it"
    case .damaged: "its file is damaged"
    case .newer: "a newer version of notes-watch wrote it"
    case .full: Errno.noSpace.reason
    case .refused(let reason): reason
    }
  }
}
