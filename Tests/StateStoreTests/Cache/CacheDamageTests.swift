import Files
import Glibc
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import Folder
@testable import StateStore

@Suite struct CacheDamageTests {
  private let fixture: CacheFixture
  private let truth: [String: PackedValue]
  private let file: String
  private let bytes: [UInt8]

  init() throws {
    fixture = try CacheFixture(["a.yaml": "name: Ada\ntags: [x, 1.5, 2024-01-01]\n", "b/c.json": "{}"])
    try fixture.read()
    truth = try fixture.truth()
    file = try #require(fixture.file)
    bytes = try fixture.temporary.bytes(of: file)
  }

  /// Returns what a reading finds with these bytes as the cache.
  private func reading(_ bytes: [UInt8]) throws -> CachedReading {
    // In place, so that the file keeps its owner and its mode.
    let file = fopen("\(fixture.temporary.path)/\(file)", "w")
    fwrite(bytes, 1, bytes.count, file)
    fclose(file)
    return try CachedReading(fixture.root, with: fixture.cache(), began: FileTime(seconds: 4_000_000_000))
  }

  @Test(arguments: Randomness.seeds(1)) func `damage at any byte gives no wrong value`(_ seed: UInt64) throws
  {
    // With NOTES_WATCH_ROUNDS=5, about every byte.
    for index in stride(from: Int(seed % 5), to: bytes.count, by: 5) {
      var damaged = bytes
      damaged[index] ^= UInt8(1 << (index % 8))
      let reading = try reading(damaged)
      #expect(reading.values == truth, "byte \(index)")
      #expect(reading.opened > 0, "byte \(index)")
    }
  }

  @Test func `a truncated file gives no wrong value`() throws {
    for count in stride(from: 0, to: bytes.count, by: 7) {
      #expect(try reading(Array(bytes[..<count])).values == truth, "\(count) bytes")
    }
  }

  @Test func `the file of another version is not used`() throws {
    var other = bytes
    other[CacheLayout.wordSize] += 1
    other.sealHeader(fixture)
    #expect(try reading(other).opened == 2)
  }

  @Test(arguments: Randomness.seeds(2)) func `forged numbers crash nothing`(_ seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var hits = 0
    for _ in 0..<150 {
      var forged = bytes
      for _ in 0...generator.below(4) {
        let index = generator.below(forged.count)
        let value: UInt8 = generator.one(of: [
          0, 1, 8, 9, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: generator.next()),
        ])
        for place in index..<min(index + generator.one(of: [1, 2, 4, 8]), forged.count) {
          forged[place] = value
        }
      }
      forged.seal(fixture, end: bytes.count)
      // A forged listing can name what is not there.
      guard let reading = try? reading(forged) else { continue }
      for value in reading.values.values { _ = value.value }
      hits += reading.values.count - reading.opened
    }
    #expect(hits > 0, "\(seedNote(seed))")
  }

  @Test(.enabled(if: Machine.isRoot, "needs root")) func `another user's file is not used`() throws {
    try fixture.temporary.shell("chown 1234 \(file)")
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 2)
  }

  @Test func `a file that others may read or change is not used`() throws {
    for mode in ["640", "602"] {
      try fixture.temporary.shell("chmod \(mode) \(file)")
      #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 2, "\(mode)")
    }
  }

  @Test func `a link is not followed, and a FIFO blocks nobody`() throws {
    try fixture.temporary.shell("mv \(file) other; ln -s $PWD/other \(file)")
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 2)
    try fixture.temporary.shell("rm \(file); mkfifo -m 600 \(file)")
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 2)
  }
}

extension [UInt8] {
  fileprivate func number(_ word: Int) -> Int {
    withUnsafeBytes { Int(clamping: $0.loadUnaligned(fromByteOffset: word * 8, as: UInt64.self)) }
  }

  fileprivate mutating func set(_ word: Int, to value: UInt64) {
    withUnsafeMutableBytes { $0.storeBytes(of: value, toByteOffset: word * 8, as: UInt64.self) }
  }

  private func checksum(_ range: Range<Int>, _ seed: UInt64) -> UInt64 {
    self[range].withUnsafeBytes { CacheChecksum.of($0, seed: seed) }
  }

  private func seed(_ fixture: CacheFixture) -> UInt64 {
    let context = ReadCacheContext(root: fixture.root, settings: fixture.settings, limits: ReadLimits())
    return CacheIdentity(context, program: fixture.program).seed
  }

  /// Gives the header the checksum that its other words have.
  fileprivate mutating func sealHeader(_ fixture: CacheFixture) {
    set(15, to: checksum(0..<15 * 8, seed(fixture)))
  }

  /// Gives every part the checksum that it has, as far as there are parts.
  fileprivate mutating func seal(_ fixture: CacheFixture, end: Int) {
    let seed = seed(fixture)
    let index = number(12)
    if index <= end - 24 {
      for part in 0..<Swift.min(number(9), (end - index) / 24) {
        let (offset, count) = withUnsafeBytes {
          (
            Int(clamping: $0.loadUnaligned(fromByteOffset: index + part * 24, as: UInt64.self)),
            Int(clamping: $0.loadUnaligned(fromByteOffset: index + part * 24 + 8, as: UInt64.self))
          )
        }
        guard offset <= end, count <= end - offset else { continue }
        let sum = checksum(offset..<offset + count, seed)
        withUnsafeMutableBytes {
          $0.storeBytes(of: sum, toByteOffset: index + part * 24 + 16, as: UInt64.self)
        }
      }
    }
    if index <= end { set(14, to: checksum(index..<end, seed)) }
    sealHeader(fixture)
  }
}
