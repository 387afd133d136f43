import Files

/// Chooses and opens the source of a watcher: inotify where it works, polling elsewhere.
struct SourceOpener {
  typealias Instant = SuspendingClock.Instant

  /// A source that observes.
  struct Opened {
    let source: any ChangeSource
    let listing: DirectoryScan.Listing
    let report: SourceReport
    /// True if it polls only because inotify was not available, so that a later attempt may
    /// succeed.
    var isFallback = false
  }

  let root: RootPath
  let options: WatchOptions

  /// Opens the source that the options ask for, and reports a notice if that is polling without
  /// having been asked for.
  ///
  /// - Parameter known: The listings that are known from before; nil to list every folder.
  func open(_ filter: WatchFilter, at now: Instant, knowing known: KnownListing? = nil)
    throws(WatchError) -> Opened
  {
    // First of all, so that the error for a root that cannot be read does not depend on the source.
    _ = try Descriptor.root(root)
    var isFallback = false
    if options.polling == .automatic, let kind = RemoteFileSystem(at: root.absolute) {
      options.onNotice(
        .polling(because: "\(kind) does not report the changes of other machines", root, options))
    } else if options.polling != .always {
      do throws(WatchError) {
        return try openInotify(filter, WatchCounters(), at: now, knowing: known)
      } catch {
        guard options.polling == .automatic, error.meansPolling else { throw error }
        options.onNotice(.polling(because: error.description, root, options))
        isFallback = true
      }
    }
    let source = PollingSource(root: root, filter: filter, interval: options.pollInterval)
    let (listing, report) = try source.start(at: now)
    return Opened(source: source, listing: listing, report: report, isFallback: isFallback)
  }

  /// Opens inotify. It continues the counts of `counters`.
  func openInotify(
    _ filter: WatchFilter, _ counters: WatchCounters, at now: Instant,
    knowing known: KnownListing? = nil
  ) throws(WatchError) -> Opened {
    let source = try InotifySource(root: root, filter: filter, counters: counters)
    let (listing, report) = try source.start(at: now, knowing: known)
    return Opened(source: source, listing: listing, report: report)
  }
}
