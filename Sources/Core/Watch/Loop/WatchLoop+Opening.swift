import Files

/// Chooses and opens a source: inotify where it works, polling elsewhere.
extension WatchLoop {
  /// A source that has started, with its first report.
  typealias Opened = (source: any ChangeSource, report: SourceReport)

  /// Opens the source that the options ask for, and reports a notice if that is polling without
  /// having been asked for.
  ///
  /// - Parameter known: The listings that are known from before; nil to list every folder.
  /// - Returns: The source. It is a fallback if it polls only because inotify was not available, so
  ///   that a later attempt may succeed.
  static func openSource(
    _ root: RootPath, _ filter: WatchFilter, _ options: WatchOptions, at now: Instant,
    knowing known: KnownListing?
  ) throws(WatchError) -> (opened: Opened, isFallback: Bool) {
    // First of all, so that the error for a root that cannot be read does not depend on the source.
    _ = try Descriptor.root(root)
    var isFallback = false
    if options.polling == .automatic, let kind = DirectoryScan.remoteFileSystem(at: root.absolute) {
      options.onNotice(
        .polling(because: "\(kind) does not report the changes of other machines", root, options))
    } else if options.polling != .always {
      do throws(WatchError) {
        return (try openInotify(root, filter, WatchCounters(), at: now, knowing: known), false)
      } catch {
        guard options.polling == .automatic, error.meansPolling else { throw error }
        options.onNotice(.polling(because: error.description, root, options))
        isFallback = true
      }
    }
    let source = PollingSource(root: root, filter: filter, interval: options.pollInterval)
    return ((source, try source.start(at: now)), isFallback)
  }

  /// Opens inotify. It continues the counts of `counters`.
  static func openInotify(
    _ root: RootPath, _ filter: WatchFilter, _ counters: WatchCounters, at now: Instant,
    knowing known: KnownListing? = nil
  ) throws(WatchError) -> Opened {
    let source = try InotifySource(root: root, filter: filter, counters: counters)
    return (source, try source.start(at: now, knowing: known))
  }
}
