import Files
import PlainStore
import Synchronization
import Values

/// The known values of one folder, for one thread that reads it.
final class CachedFolderValues: CachedValues {
  private let folder: CachedFolder
  private let file: CacheFile
  /// Lock: guards a thread's place in a folder of the cache. Parts of the cache file are read, and
  /// `CacheFile.buffers` is locked, under it.
  private let state: Mutex<State>

  /// The thread's place in the folder.
  private struct State {
    /// The number of the entry after the last one that was found: files come in the order of the
    /// last listing, unless it changed.
    var next = 0
    /// The numbers of all entries by the hashes of their names, once an entry was not where it was
    /// expected.
    var table: NameTable?
    /// The part that was read last, with its number.
    var part: (number: Int, loaded: CacheFile.LoadedPart)?
    var hits = 0
  }

  init(_ folder: CachedFolder, of file: CacheFile) {
    self.folder = folder
    self.file = file
    state = Mutex(State())
  }

  deinit {
    state.withLock { state in
      if let part = state.part { file.release(part.loaded) }
      file.counts.add(hits: state.hits)
    }
  }

  func value(of index: Int, named name: UnsafeRawBufferPointer, stamp: FileStamp) -> PackedValue? {
    guard stamp.identity.device == folder.stamp.identity.device else { return nil }
    return state.withLock { state in
      guard let entry = entry(index, named: name, &state), entry.hasValue, entry.has(stamp) else {
        return nil
      }
      let value = value(of: entry, &state)
      if value != nil { state.hits += 1 }
      return value
    }
  }

  private func entry(_ index: Int, named name: UnsafeRawBufferPointer, _ state: inout State) -> CachedFolder
    .Entry?
  {
    for number in [index, state.next] {
      guard let entry = folder.entry(number), entry.name.hasSameBytes(as: name) else { continue }
      state.next = number + 1
      return entry
    }
    let table = state.table ?? NameTable(of: folder)
    state.table = table
    guard let number = table.number(of: name, in: folder) else { return nil }
    state.next = number + 1
    return folder.entry(number)
  }

  private func value(of entry: CachedFolder.Entry, _ state: inout State) -> PackedValue? {
    if state.part?.number != entry.part {
      if let part = state.part { file.release(part.loaded) }
      state.part = (entry.part, file.load(entry.part))
    }
    let (offset, count) = entry.value
    guard let bytes = state.part?.loaded.bytes, offset + count <= bytes.count else { return nil }
    let value = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    return PackedValue.isMap(value, depth: file.depth) ? PackedValue(bytes: Array(value)) : nil
  }
}

/// The numbers of a folder's entries by the hashes of their names.
private struct NameTable {
  private var slots: [UInt32]

  init(of folder: CachedFolder) {
    var size = 2
    while size < folder.entryCount * 2 { size *= 2 }
    slots = Array(repeating: 0, count: size)
    for number in 0..<folder.entryCount {
      guard let entry = folder.entry(number), let stored = UInt32(exactly: number + 1) else { continue }
      var slot = start(of: entry.name)
      while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
      slots[slot] = stored
    }
  }

  func number(of name: UnsafeRawBufferPointer, in folder: CachedFolder) -> Int? {
    var slot = start(of: name)
    while slots[slot] != 0 {
      let number = Int(slots[slot]) - 1
      if let entry = folder.entry(number), entry.name.hasSameBytes(as: name) { return number }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  private func start(of name: UnsafeRawBufferPointer) -> Int {
    Int(truncatingIfNeeded: CacheChecksum.of(name, seed: 0)) & (slots.count - 1)
  }
}
