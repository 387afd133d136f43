public import DirectoryWatch
import Glibc
public import PlainText

/// How a store reads its folder.
public struct StoreOptions: Sendable {
  /// What a single file may ask for.
  public var limits: ReadLimits
  /// Nil: what the settings say.
  public var idFields: [FieldPath]?
  /// Threads that read files at once, where there are many.
  public var readers: Int
  /// Whether bad settings are a problem like another, with the defaults in their place, instead of an error.
  public var badSettingsAreAProblem = false
  /// How changes are watched for.
  public var watch: WatchOptions
  /// How long after one audit the next begins, which looks for changes that no event told; nil for none.
  public var auditInterval: Duration? = StoreOptions.defaultAuditInterval

  /// Often enough for what should never be needed; seldom enough that an idle machine sleeps.
  public static let defaultAuditInterval = Duration.seconds(600)

  public init(limits: ReadLimits = ReadLimits(), idFields: [FieldPath]? = nil, readers: Int = 2, watch: WatchOptions = WatchOptions()) {
    self.limits = limits
    self.idFields = idFields
    self.readers = readers
    self.watch = watch
  }
}

/// Why a store cannot be opened.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kinds of reasons. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it is none.
    public static let noDirectory = Code(.noDirectory)
    /// The permissions of the folder, or of one above it, do not allow it.
    public static let permissionDenied = Code(.permissionDenied)
    /// The settings file cannot be read or understood.
    public static let badSettings = Code(.badSettings)
    /// Anything else that the system says.
    public static let system = Code(.system)

    private enum Name: String {
      case noDirectory, permissionDenied, badSettings, system
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the code, such as `noDirectory`.
    public var description: String { name.rawValue }
  }

  public let code: Code
  /// A sentence: what happened, where, what to do.
  public let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  init(_ error: WatchError) {
    self.init(StoreError.code(error.errno), error.description)
  }

  private static func code(_ errno: CInt) -> Code {
    switch errno {
    case ENOENT, ENOTDIR: .noDirectory
    case EACCES, EPERM: .permissionDenied
    default: .system
    }
  }
}
