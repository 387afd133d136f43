#if DEBUG
  import Synchronization

  /// Counts the passes over texts and the copied bytes in one task, for tests of the cost of an edit
  /// or of a drawing. Not in release builds.
  package final class ReadCounter: Sendable {
    @TaskLocal package static var current: ReadCounter?

    /// Lock: guards how often texts were parsed, in debug builds only.
    private let passes = Mutex((reads: 0, locations: 0, copied: 0))

    package init() {}

    /// The number of times that a text was read into values, and that the places of values were
    /// found, and the number of bytes of the texts that were copied from packed values.
    package var counts: (reads: Int, locations: Int, copied: Int) { passes.withLock { $0 } }

    func recordRead() { passes.withLock { $0.reads += 1 } }
    func recordLocation() { passes.withLock { $0.locations += 1 } }
    func recordCopy(of count: Int) { passes.withLock { $0.copied += count } }
  }
#endif
