import CSQLite
import Files
import SystemPackage

/// The reason why the state or the file of a consumer cannot be used, read or written.
package struct StateError: Error, Hashable {
  package enum Code: Hashable {
    case badName
    /// Neither `XDG_STATE_HOME` nor `HOME` names a folder for states.
    case noHome
    /// Another connection has the state open; nil if the system does not know the process.
    case locked(process: Int32?)
    /// Its content contradicts itself, or is not that of a database.
    case damaged
    /// A newer version of this program wrote it.
    case newer
    /// The disk is full. The transaction was undone.
    case full
    case refused
  }

  package let code: Code
  /// A sentence that says what is wrong and what to do. For `damaged`, `newer`, `full` and `refused`,
  /// and before `ConsumerState` has named the file, only the reason: the end of a sentence.
  package let message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let locked = StateError(.locked(process: nil), "another process uses it")
  static let damaged = StateError(.damaged, "its file is damaged")
  static let newer = StateError(.newer, "a newer version of notes-watch wrote it")
  static let full = StateError(.full, Errno.noSpace.reason)
  package static func refused(_ reason: String) -> StateError { StateError(.refused, reason) }

  package init(_ error: any Error) {
    switch error {
    case let error as StateError: self = error
    case let error as Errno: self = error == .noSpace ? .full : .refused(error.reason)
    default: self = .damaged
    }
  }

  /// Returns what a result of SQLite means, with or without its extension.
  init(sqlite result: CInt) {
    switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: self = .locked
    case SQLITE_FULL: self = .full
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN, SQLITE_AUTH:
      self = .refused("the file or its folder cannot be written")
    case SQLITE_IOERR: self = .refused("the disk reports an input/output error")
    case SQLITE_NOMEM: self = .refused(Errno.noMemory.reason)
    default: self = .damaged
    }
  }
}

extension StateError: CustomStringConvertible {
  package var description: String { message }
}
