public import DirectoryWatch
import Glibc
import LinuxFiles
public import PlainText
import SystemPackage

/// Why a change to an item was not saved. Unless the message says otherwise its file is as it was.
public struct EditError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kinds of reasons. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// No item can have this id or path here, or its fields say another id.
    public static let invalidID = Code(.invalidID)
    /// There is no item of this id.
    public static let notFound = Code(.notFound)
    /// There is one already.
    public static let exists = Code(.exists)
    /// Several files claim the id.
    public static let ambiguous = Code(.ambiguous)
    /// The file, or the text that was to be written, cannot be read as an item.
    public static let unreadable = Code(.unreadable)
    /// The text cannot be edited in this way; `refusal` says more.
    public static let refused = Code(.refused)
    /// Somebody else changed the file since it was read, and the policy is `error`.
    public static let conflict = Code(.conflict)
    /// Somebody else is writing the file, or the folder, and does not come to an end.
    public static let busy = Code(.busy)
    /// The permissions of the file or its folder do not allow it.
    public static let permissionDenied = Code(.permissionDenied)
    /// A file system that is mounted read-only.
    public static let readOnly = Code(.readOnly)
    /// The disk, or a quota, is full.
    public static let noSpace = Code(.noSpace)
    /// Anything else that the system says.
    public static let system = Code(.system)

    private enum Name: String {
      case invalidID, notFound, exists, ambiguous, unreadable, refused, conflict, busy
      case permissionDenied, readOnly, noSpace, system
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the code, such as `notFound`.
    public var description: String { name.rawValue }
  }

  public let code: Code
  public let id: Item.ID
  /// Nil where the id leads to none.
  public let path: RelativePath?
  /// A sentence or two: what is wrong, and what to do.
  public let message: String
  /// Where in the file; 1 and 1 where there is no place.
  public var line = 1
  public var column = 1
  /// What the editing of the text says.
  public var refusal: TextEditError?

  init(_ code: Code, _ id: Item.ID, _ path: RelativePath?, _ message: String, line: Int = 1, column: Int = 1) {
    self.code = code
    self.id = id
    self.path = path
    self.message = message
    self.line = line
    self.column = column
  }

  /// `path:line:column: message`, or the id in place of the path.
  public var description: String {
    guard let path else { return "\(id): \(message)" }
    return line == 1 && column == 1 ? "\(path): \(message)" : "\(path):\(line):\(column): \(message)"
  }
}

extension EditError {
  init(_ id: Item.ID, _ path: RelativePath, _ error: TextEditError) {
    self.init(
      [.unreadable, .foreignFrontMatter].contains(error.reason) ? .unreadable : .refused, id, path, "\(error.path): \(error.message)",
      line: error.line,
      column: error.column)
    refusal = error
  }

  init(_ id: Item.ID, _ path: RelativePath, _ error: TextError) {
    self.init(.unreadable, id, path, error.message, line: error.line, column: error.column)
  }

  /// What a look at the file said.
  init(_ id: Item.ID, _ problem: Problem) {
    self.init(
      problem.error.map { SystemFailure.code($0.rawValue) } ?? .unreadable, id, problem.path, problem.message, line: problem.line,
      column: problem.column)
  }

  init(_ id: Item.ID, _ path: RelativePath, _ failure: SystemFailure) {
    self.init(failure.code, id, path, failure.sentence)
  }
}

/// A system call of a save that failed.
struct SystemFailure: Error {
  /// What was to be done, as the beginning of "… failed".
  let action: String
  let errno: CInt
  /// A sentence on what became of the file.
  let consequence: String

  init(_ action: String, _ error: Errno, consequence: String = "Nothing was changed.") {
    self.init(action, error.rawValue, consequence: consequence)
  }

  init(_ action: String, _ errno: CInt, consequence: String = "Nothing was changed.") {
    self.action = action
    self.errno = errno
    self.consequence = consequence
  }

  var code: EditError.Code { SystemFailure.code(errno) }

  var sentence: String { "\(action) failed: \(Errno(rawValue: errno).reason). \(consequence)" }

  /// The same failure with more sentences.
  func adding(_ sentences: [String]) -> SystemFailure {
    SystemFailure(action, errno, consequence: ([consequence] + sentences).joined(separator: " "))
  }

  static func code(_ errno: CInt) -> EditError.Code {
    switch errno {
    case EACCES, EPERM: .permissionDenied
    case EROFS: .readOnly
    case ENOSPC, EDQUOT: .noSpace
    case EEXIST: .exists
    case EBUSY: .busy
    case ENAMETOOLONG, ELOOP, EXDEV, ENOTDIR: .invalidID
    default: .system
    }
  }
}
