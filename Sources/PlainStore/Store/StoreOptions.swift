public import DirectoryWatch
import Glibc
public import PlainText

/// Options for reading and watching a store's folder.
public struct StoreOptions: Sendable {
  /// The limits for each file, such as its size in bytes and its depth.
  public var limits: ReadLimits
  /// The fields that make an item's id; nil (the default) for those that the settings name.
  public var idFields: [FieldPath]?
  /// The number of threads that read files if there are many; 2 by default.
  public var readers: Int
  /// True if wrong settings are reported as a problem, with default settings in their place. By default
  /// they end the opening with an error.
  public var badSettingsAreAProblem: Bool
  /// Options for watching, such as how long changes wait.
  public var watch: WatchOptions
  /// The time from the end of one audit to the next; nil for no audits. An audit finds changes that no
  /// event reported.
  public var auditInterval: Duration?

  /// Ten minutes: often enough for what should never be needed, and rare enough that an idle machine
  /// sleeps.
  public static let defaultAuditInterval = Duration.seconds(600)

  /// Makes options.
  ///
  /// - Parameters:
  ///   - limits: The limits for each file.
  ///   - idFields: The fields that make an item's id; nil for those that the settings name.
  ///   - readers: The number of threads that read files if there are many. Numbers below 1 count as 1.
  ///   - badSettingsAreAProblem: True if wrong settings are reported as a problem instead of an error.
  ///   - watch: Options for watching. Without watching only `maxWait` is used: it limits how long a save
  ///     waits for other programs.
  ///   - auditInterval: The time from the end of one audit to the next; nil for no audits. Without
  ///     watching there are none.
  public init(
    limits: ReadLimits = ReadLimits(), idFields: [FieldPath]? = nil, readers: Int = 2, badSettingsAreAProblem: Bool = false,
    watch: WatchOptions = WatchOptions(), auditInterval: Duration? = StoreOptions.defaultAuditInterval
  ) {
    self.limits = limits
    self.idFields = idFields
    self.readers = readers
    self.badSettingsAreAProblem = badSettingsAreAProblem
    self.watch = watch
    self.auditInterval = auditInterval
  }
}

/// An error of opening or saving to a store.
public struct StoreError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error. Later versions may add kinds.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// There is no such folder, or it is not a folder.
    public static let noDirectory = Code(.noDirectory)
    /// The permissions of the folder, or of one above it, do not allow it.
    public static let permissionDenied = Code(.permissionDenied)
    /// The settings file cannot be read or understood.
    public static let badSettings = Code(.badSettings)
    /// Any other error of the system.
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

  /// The kind of this error.
  public let code: Code
  /// A sentence that says what happened, where, and what to do.
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
