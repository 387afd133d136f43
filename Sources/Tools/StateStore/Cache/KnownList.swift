import Store
import SystemPackage
import Streams

/// The digest of the list that a state holds, in the folder of the caches. If the list of this
/// start has the same digest, the consumer has it already, and nothing of the state has to be read.
///
/// The file says which records the digest is of. So a file that is older than the state, or belongs
/// to a different one, has no effect. It has a secret key, so that no item can be made to look like
/// another.
package struct KnownList {
  private let folder: CacheFolder
  private let name: String
  private let minCount: Int

  private static let magic: UInt64 = 0x7473_696C_6377_6E0A
  private static let version: UInt64 = 1
  private static let wordCount = 9

  /// Finds the list of a state. Lists with fewer rows than `minCount` are not kept.
  package init(of location: StateLocation, home: String, minCount: Int = FolderCache.minCount) {
    folder = CacheFolder(home: home)
    name = CacheFolder.name(of: ContentDigest(of: Array("state \(location.file)".utf8)))
    self.minCount = minCount
  }

  func matches(_ list: ListSnapshot<Item>, _ records: RecordDigest) -> Bool {
    guard list.count >= minCount, let known = read(), known.records == records else { return false }
    return ContentDigest(of: list, key: known.key) == known.digest
  }

  /// Keeps the digest of a list, unless that was done before.
  func record(_ list: ListSnapshot<Item>, _ records: RecordDigest) {
    guard list.count >= minCount, read()?.records != records else { return }
    let key = (UInt64.random(in: 0 ... .max), UInt64.random(in: 0 ... .max))
    let digest = ContentDigest(of: list, key: key)
    var words = [
      KnownList.magic, KnownList.version, records.sum.low, records.sum.high, key.0, key.1, digest.low,
      digest.high,
    ]
    words.append(KnownList.checksum(words))
    let bytes = words.map(\.littleEndian).withUnsafeBytes(Array.init)
    try? folder.replace(name) { file throws(Errno) in try CacheFolder.write(bytes, at: 0, to: file) }
  }

  private func read() -> (records: RecordDigest, key: (UInt64, UInt64), digest: ContentDigest)? {
    let size = KnownList.wordCount * CacheLayout.wordSize
    guard let file = folder.open(name), CacheFile.ownSize(of: file.raw) == size else { return nil }
    folder.markAsUsed(file.raw, named: name)
    let buffer = CacheBuffer(capacity: size)
    guard buffer.read(0..<size, of: file.raw) else { return nil }
    let words = (0..<KnownList.wordCount).map { buffer.bytes.word($0 * CacheLayout.wordSize) }
    guard words[0] == KnownList.magic, words[1] == KnownList.version,
      words[8] == KnownList.checksum(Array(words[..<8]))
    else { return nil }
    return (
      RecordDigest(ContentDigest(low: words[2], high: words[3])), (words[4], words[5]),
      ContentDigest(low: words[6], high: words[7])
    )
  }

  private static func checksum(_ words: [UInt64]) -> UInt64 {
    words.map(\.littleEndian).withUnsafeBytes { CacheChecksum.of($0, seed: magic) }
  }
}
