import Files

/// A change in the way a folder is watched that its user should know. The watcher continues.
public struct WatchNotice: Sendable, Hashable, CustomStringConvertible {
  /// The kind of a notice. More kinds may be added.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The watcher polls from now on, because inotify is not available or would miss changes.
    public static let polling = Code(description: "polling")
    /// The watcher no longer polls: inotify is available again.
    public static let watching = Code(description: "watching")
    /// The root is gone; the watcher waits for it.
    public static let rootGone = Code(description: "rootGone")
    /// The root is back.
    public static let rootBack = Code(description: "rootBack")

    /// The name of the code, such as `polling`.
    public let description: String
  }

  /// The kind of this notice.
  public let code: Code
  /// One or two complete sentences: what happened, why, and what to do.
  public let description: String

  static func polling(because reason: String, _ root: RootPath, _ options: WatchOptions) -> WatchNotice {
    let reason = reason.hasSuffix(".") ? String(reason.dropLast()) : reason
    return WatchNotice(
      code: .polling, description: "\(reason). Checking \(root.given) every \(options.pollInterval) instead.")
  }

  static func watching(_ root: RootPath) -> WatchNotice {
    WatchNotice(code: .watching, description: "Watching \(root.given) by events again.")
  }

  static func rootGone(_ root: RootPath) -> WatchNotice {
    WatchNotice(
      code: .rootGone, description: "The folder \(root.given) is gone; waiting for it to come back.")
  }

  static func rootBack(_ root: RootPath) -> WatchNotice {
    WatchNotice(code: .rootBack, description: "The folder \(root.given) is back.")
  }
}
