#if DEBUG
  import Synchronization

  /// Counts the passes over texts and the copied bytes in one task, for tests of the cost of an edit
  /// or of a drawing. Not in release builds.
  package final class ReadCounter: Sendable {
    @TaskLocal package static var current: ReadCounter?

    private let reads = Atomic(0)
    private let locations = Atomic(0)
    private let copied = Atomic(0)

    package init() {}

    /// The number of times that a text was read into values, and that the places of values were
    /// found, and the number of bytes of the texts that were copied from packed values.
    package var counts: (reads: Int, locations: Int, copied: Int) {
      (
        reads.load(ordering: .relaxed), locations.load(ordering: .relaxed), copied.load(ordering: .relaxed)
      )
    }

    func recordRead() { reads.add(1, ordering: .relaxed) }
    func recordLocation() { locations.add(1, ordering: .relaxed) }
    func recordCopy(of count: Int) { copied.add(count, ordering: .relaxed) }
  }
#endif
