/// Something about the watch that its user should know. The watch goes on.
public struct WatchNotice: Sendable, Hashable, CustomStringConvertible {
  /// The kinds of notices. More may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// It polls from now on, since inotify cannot be had or would be blind.
    public static let polling = Code(.polling)
    /// It no longer polls: inotify can be had again.
    public static let watching = Code(.watching)
    /// The root is gone; the watch waits for it.
    public static let rootGone = Code(.rootGone)
    /// The root is there again.
    public static let rootBack = Code(.rootBack)

    private enum Name: String {
      case polling, watching, rootGone, rootBack
    }

    private let name: Name

    private init(_ name: Name) {
      self.name = name
    }

    /// The name of the code, such as `polling`.
    public var description: String { name.rawValue }
  }

  public let code: Code
  /// One or two whole sentences: what happened, why, what to do.
  public let description: String

  static func pollsBecause(_ reason: String, _ root: RootPath, _ options: WatchOptions) -> WatchNotice {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return WatchNotice(code: .polling, description: "\(reason). Looking at \(root.given) every \(options.pollInterval) instead.")
  }

  static func watchesAgain(_ root: RootPath) -> WatchNotice {
    WatchNotice(code: .watching, description: "Changes of \(root.given) are told by events again.")
  }

  static func rootGone(_ root: RootPath) -> WatchNotice {
    WatchNotice(code: .rootGone, description: "The folder \(root.given) is gone; waiting for it to come back.")
  }

  static func rootBack(_ root: RootPath) -> WatchNotice {
    WatchNotice(code: .rootBack, description: "The folder \(root.given) is there again.")
  }
}
