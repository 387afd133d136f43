import ArgumentParser
import Git
import Glibc
import StateStore
import Store
import Processes

struct CacheOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-cache"),
    help:
      "Read every file. By default, files of a large folder that have not changed since an earlier run are not opened."
  )
  var isOff = false

  /// The variable with the number of files from which a folder is kept. Only tests set it.
  private static let minCountVariable = "NOTES_WATCH_CACHE_FROM"

  /// Nil if there is no cache. Its failures give no message: without it the program is only slower.
  var open: (@Sendable (ReadCacheContext) -> (any ReadCache)?)? {
    guard let (home, minCount) = place else { return nil }
    return { FolderCache($0, home: home, program: CacheOptions.program, minCount: minCount) }
  }

  func knownList(of location: StateLocation) -> KnownList? {
    place.map { KnownList(of: location, home: $0.home, minCount: $0.minCount) }
  }

  /// The folder of all caches, and the number of files from which a folder is kept.
  private var place: (home: String, minCount: Int)? {
    let environment = Environment.values(of: ["XDG_CACHE_HOME", "HOME", CacheOptions.minCountVariable])
    guard !isOff, let home = UserFolder.cache.path(environment) else { return nil }
    return (home, environment[CacheOptions.minCountVariable].flatMap(Int.init) ?? FolderCache.minCount)
  }

  /// The version and the identity of its file: another build may read files differently.
  private static var program: [UInt8] {
    var text = ProgramVersion.text
    if let file = try? Descriptor.open("/proc/self/exe", O_RDONLY),
      let stamp = try? FileStatus(of: file.raw).stamp
    {
      text += " \(stamp.identity.device) \(stamp.identity.inode) \(stamp.size) \(stamp.modified.total)"
    }
    return Array(text.utf8)
  }
}
