#if DEBUG
  import Synchronization

  /// Counts what one task reads and copies, for tests of the cost of an edit or a drawing. Debug builds only.
  package final class ReadCounter: Sendable {
    @TaskLocal package static var current: ReadCounter?

    private let reads = Atomic(0)
    private let locations = Atomic(0)
    private let copied = Atomic(0)

    package init() {}

    /// Texts read into values, texts in which values were located, and bytes copied from packed values.
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
