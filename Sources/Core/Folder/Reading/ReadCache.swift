package import Files
package import Query
package import Values
package import Watch

/// The results of earlier readings of one data set.
///
/// Thread-safe. It blocks only on its own file, and its failures are silent: every file is then read.
///
/// The thread that opens the store asks for listings, and reader threads for values. Each listing and
/// its items become a `ReadFolder`, which the store keeps until `ItemStore.recordFirstReading()`.
package protocol ReadCache: Sendable {
  /// Returns the listing that is known of a folder with this stamp; see ``KnownListing``.
  func listing(of folder: RelativePath, stamp: FileStamp) -> FolderListing?

  /// Returns the known values of the files in a folder; nil if none is known. Called by reader
  /// threads, once or a few times per folder, for listings of either kind.
  func values(of folder: RelativePath) -> (any CachedValues)?

  var isEmpty: Bool { get }

  /// The number of values that were returned and used. Complete once all `CachedValues` are released.
  var hits: Int { get }

  /// Returns true if nothing worth writing has changed, as far as the cache's own counts say: then the
  /// first reading need not be recorded. Asked once, after it, with the number of entries of all folders
  /// that were listed completely.
  func isCurrent(entryCount: Int) -> Bool

  /// Records the first reading: every folder that was listed completely, with its files. Called
  /// once, on the thread of the caller of `ItemStore.recordFirstReading()`, without any lock.
  func record(_ folders: [ReadFolder])
}

/// The known values of the files in one folder, for one thread: a value over the cache's buffer.
package protocol CachedValues {
  /// Returns the packed value that a file had when it had this stamp; nil if it must be read. The index is
  /// a hint: that of the file in a listing from the cache, otherwise a likely place near the file's.
  func value(of index: Int, named name: UnsafeRawBufferPointer, stamp: FileStamp) -> PackedValue?
}

package struct FirstReadingRecord {
  /// The parts that were read; empty without a cache.
  var parts: [FirstReading.Part] = []
  /// The folders that were not listed completely.
  var incomplete: Set<RelativePath> = []
  /// A time before the first file was read and before the first folder was listed.
  let began: FileTime

  /// The number of entries of the folders that were listed completely.
  package var entryCount: Int { complete.reduce(0) { $0 + $1.items.count } }

  /// The number of items in these folders that count nothing in the budget for aliases.
  package var itemCount: Int {
    complete.reduce(0) { sum, part in part.items.reduce(sum) { $1 == nil ? $0 : $0 + 1 } }
  }

  /// The folders that were listed completely, each with the items of all its parts. Linear in the
  /// number of items.
  package var folders: [ReadFolder] {
    var folders: [RelativePath: (listing: FolderListing, items: [Item?])] = [:]
    for part in complete {
      let none = (part.listing, [Item?](repeating: nil, count: part.listing.entries.count))
      folders[part.listing.path, default: none].items.replaceSubrange(part.range, with: part.items)
    }
    return folders.values.map { ReadFolder(listing: $0.listing, items: $0.items, began: began) }
  }

  private var complete: some Sequence<FirstReading.Part> {
    parts.lazy.filter { !incomplete.contains($0.listing.path) }
  }
}

package struct ReadFolder {
  /// The listing, with the stamp that the folder had before it was listed. It has every entry that
  /// the rules include, even those that aren't files.
  package let listing: FolderListing
  /// The item of each entry, by the entry's index; nil for one that is not an item or has a
  /// problem. Each has the stamp and the value that were read, or that the cache returned.
  package let items: [Item?]
  /// A time before the first of these files was read and before the folder was listed. A stamp
  /// whose `changed` is not well before this time may belong to more than one content.
  package let began: FileTime
}

/// The data set that a cache is for. Everything in it changes what a path or a value means.
package struct ReadCacheContext {
  package let root: String
  /// The settings of the data set: `ignore` decides what a listing includes.
  package let settings: Settings
  /// The limits for each file: they decide whether it has a value or a problem.
  package let limits: ReadLimits

  package init(root: String, settings: Settings, limits: ReadLimits) {
    self.root = root
    self.settings = settings
    self.limits = limits
  }
}
