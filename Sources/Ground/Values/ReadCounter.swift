#if DEBUG
  import Synchronization

  /// Counts the passes over texts and the copied bytes in one task, for tests of the cost of an edit
  /// or of a drawing. Not in release builds.
  package final class ReadCounter: Sendable {
    @TaskLocal package static var current: ReadCounter?

    /// The number of times that a text was read into values.
    let reads = Atomic(0)
    /// The number of times that the places of values were found.
    let locations = Atomic(0)
    /// The number of bytes of texts that were copied from packed values.
    let copied = Atomic(0)

    package init() {}

    /// What was counted so far.
    package var counts: (reads: Int, locations: Int, copied: Int) {
      (
        reads.load(ordering: .relaxed), locations.load(ordering: .relaxed), copied.load(ordering: .relaxed)
      )
    }
  }
#endif
