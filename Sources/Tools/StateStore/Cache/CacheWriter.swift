import Files
import Glibc
import PlainStore
import SystemPackage

/// Writes a cache file: several threads write the values, then one writes the index.
struct CacheWriter {
  /// The rules that decide what may be kept.
  let rules: CacheRules
  let identity: CacheIdentity
  let file: CInt

  /// The number of entries of one piece. The values of a piece are in one part, and a reader takes
  /// as many files at once, so each part is read once.
  private static let pieceSize = 256
  /// The number of pieces that a thread writes one after the other. The small ones share a part.
  private static let groupSize = 32

  /// The entries of a folder, or of a part of it, that one thread writes.
  private struct Piece {
    let folder: ReadFolder
    let range: Range<Int>
  }

  /// Writes a file that holds these folders.
  func write(_ folders: [ReadFolder]) throws(Errno) {
    var pieces: [Piece] = []
    for folder in folders {
      let count = folder.listing.entries.count
      for start in stride(from: 0, to: max(count, 1), by: CacheWriter.pieceSize) {
        pieces.append(Piece(folder: folder, range: start..<min(count, start + CacheWriter.pieceSize)))
      }
    }
    let values = CacheValueFile(file, identity)
    let entries = try write(pieces, to: values)
    let (parts, end) = values.written
    let index = CacheIndexBuilder(folders, entries, parts, rules, identity)
    var header = CacheHeader(identity: identity)
    header.valueCount = entries.reduce(0) { $0 + $1.valueCount }
    header.listingCount = folders.count { rules.mayList($0) }
    header.partCount = parts.count
    header.slotCount = index.slotCount
    header.folderCount = folders.count
    header.index = end..<end + index.bytes.count
    header.fileSize = header.index.upperBound
    header.indexChecksum = index.bytes.withUnsafeBytes { CacheChecksum.of($0, seed: identity.seed) }
    try CacheValueFile.write(index.bytes, at: end, to: file)
    try CacheValueFile.write(header.bytes, at: 0, to: file)
  }

  /// Writes the values of all pieces on several threads, and returns the entries of each.
  private func write(_ pieces: [Piece], to values: CacheValueFile) throws(Errno) -> [CacheEntries] {
    let entries = ParallelWork.map(pieces.count, by: CacheWriter.groupSize) { group in
      var part = CacheValuePart(values)
      let entries = pieces[group].map { piece in
        var entries = CacheEntries(capacity: piece.range.count)
        for index in piece.range { entries.append(index, of: piece.folder, rules, &part) }
        part.endPiece()
        return entries
      }
      part.finish()
      return entries
    }
    if let error = values.error { throw error }
    return entries.flatMap { $0 }
  }
}
