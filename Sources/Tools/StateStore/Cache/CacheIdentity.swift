import Glibc
import Store
import Streams

/// The identity of a cache: the data set with everything that changes what its files mean, and the
/// program that reads them.
struct CacheIdentity {
  /// The digest of the data set. It is the name of its file.
  let dataSet: ContentDigest
  /// The digest of the program. Another program may read a file in another way.
  let program: ContentDigest

  var words: [UInt64] { [dataSet.low, dataSet.high, program.low, program.high] }

  /// The seed of all checksums, so that no part of another data set's file is valid here.
  var seed: UInt64 { dataSet.low ^ program.high }

  /// - Parameter program: Bytes that differ between programs that may read files differently.
  init(_ context: ReadCacheContext, program: [UInt8]) {
    self.program = ContentDigest(of: program)
    let limits = context.limits
    var numbers = [limits.depth, limits.expandedSize, limits.totalExpandedSize, limits.maxSize]
    // Which files this user may read: a file that became unreadable in this way has no new stamp.
    numbers += [Int(geteuid()), Int(getegid())] + CacheIdentity.groups.map(Int.init)
    var bytes: [UInt8] = []
    for text in [realPath(context.root) ?? context.root] + context.settings.ignore {
      numbers.append(text.utf8.count)
      bytes += text.utf8
    }
    numbers.append(context.settings.ignore.count)
    dataSet = ContentDigest(of: numbers.map(Int64.init).withUnsafeBytes(Array.init) + bytes)
  }

  private static var groups: [gid_t] {
    var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
    let count = Int(getgroups(CInt(groups.count), &groups))
    return groups.prefix(max(0, count)).sorted()
  }
}
