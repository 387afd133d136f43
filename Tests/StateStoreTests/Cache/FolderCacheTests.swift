import Files
import Glibc
import Query
@testable import Store
import TestSupport
import Testing
import Values

@testable import StateStore

@Suite struct FolderCacheTests {
  private static let files = [
    "a.yaml": "name: Ada\n", "b.json": "{\"name\": \"Bob\"}", "c/d.md": "---\nname: Di\n---\ntext\n",
  ]

  @Test func `the second reading opens and lists nothing`() throws {
    let fixture = try CacheFixture(Self.files)
    let first = try fixture.read()
    #expect(first.opened == 3)
    #expect(first.listed == 2)
    let second = try fixture.read()
    #expect(second.opened == 0)
    #expect(second.listed == 0)
    #expect(second.values == first.values)
    #expect(second.values.count == 3)
  }

  @Test func `the file is private to the user`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.read()
    let file = try #require(fixture.file)
    #expect(try fixture.temporary.shell("stat -c %a cache/notes-watch \(file)") == "700\n600\n")
  }

  @Test func `an unchanged folder leaves the file as it is`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.read()
    let before = try fixture.temporary.shell("stat -c '%i %z' \(try #require(fixture.file))")
    try fixture.read()
    #expect(try fixture.temporary.shell("stat -c '%i %z' \(try #require(fixture.file))") == before)
  }

  @Test func `few changes leave the file as it is, and many replace it`() throws {
    let fixture = try CacheFixture(
      Dictionary(uniqueKeysWithValues: (0..<200).map { ("\($0).yaml", "number: \($0)\n") }))
    try fixture.read()
    let file = try #require(fixture.file)
    let before = try fixture.temporary.shell("stat -c %i \(file)")
    for number in 0..<2 { try fixture.write("other: \(number)\n", to: "\(number).yaml") }
    #expect(try fixture.read().opened == 2)
    #expect(try fixture.temporary.shell("stat -c %i \(file)") == before)
    #expect(try fixture.read().opened == 2)
    for number in 0..<3 { try fixture.write("third: \(number)\n", to: "\(number).yaml") }
    #expect(try fixture.read().opened == 3)
    #expect(try fixture.temporary.shell("stat -c %i \(file)") != before)
    #expect(try fixture.read().opened == 0)
  }

  @Test func `a small data set has no file`() throws {
    let fixture = try CacheFixture(Self.files)
    let cache = fixture.cache(minCount: 5)
    cache.record(try CachedReading(fixture.root, with: cache).folders)
    #expect(fixture.file == nil)
    try fixture.read()
    #expect(fixture.file != nil)
    let later = fixture.cache(minCount: 5)
    later.record(try CachedReading(fixture.root, with: later).folders)
    #expect(fixture.file == nil)
  }

  @Test func `a young file and a young folder are read again`() throws {
    let fixture = try CacheFixture(Self.files)
    let now = FileTime(seconds: Int64(time(nil)))
    try fixture.read(began: now)
    let second = try fixture.read(began: now)
    #expect(second.opened == 3)
    #expect(second.listed == 2)
  }

  @Test func `a file of the future is read again`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.temporary.shell("touch -d '+10 years' items/a.yaml")
    try fixture.read()
    #expect(try fixture.read().opened == 1)
  }

  @Test func `an edit that keeps size and time of writing is read`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.read()
    try fixture.temporary.shell(
      "cp -p items/a.yaml old; printf 'name: Eva\\n' > items/a.yaml; touch -r old items/a.yaml")
    let second = try fixture.read()
    #expect(second.opened == 1)
    #expect(second.values["a.yaml"] == PackedValue(["name": "Eva"]))
  }

  @Test func `another data set does not get the values`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.read()
    fixture.settings.ignore = ["*.tmp"]
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 3)
    fixture.settings.ignore = []
    #expect(
      try CachedReading(fixture.root, with: fixture.cache(limits: ReadLimits(maxSize: 100))).opened == 3)
    fixture.program = [2]
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 3)
    fixture.program = [1]
    #expect(try CachedReading(fixture.root, with: fixture.cache()).opened == 0)
  }

  @Test func `folders are listed where their times are not trusted`() throws {
    let fixture = try CacheFixture(Self.files)
    let cache = fixture.cache(trustsFolderTimes: false)
    cache.record(try CachedReading(fixture.root, with: cache).folders)
    let second = try CachedReading(fixture.root, with: fixture.cache(trustsFolderTimes: false))
    #expect(second.listed == 2)
    #expect(second.opened == 0)
  }

  @Test func `values are kept only where no program can set the time of the last change`() {
    #expect(CacheRules(fileSystem: 0xEF53, device: 1).keepsValues)
    for other: Int64 in [0x6969, 0x6573_5546, 0x4D44, 0x7371_7368, 0x9660, -1] {
      #expect(!CacheRules(fileSystem: other, device: 1).keepsValues)
      #expect(!CacheRules(fileSystem: other, device: 1).trustsFolderTimes)
    }
  }

  @Test func `folders of an overlay are listed, because a lower layer may have changed`() {
    #expect(CacheRules(fileSystem: 0x794C_7630, device: 1).keepsValues)
    #expect(!CacheRules(fileSystem: 0x794C_7630, device: 1).trustsFolderTimes)
  }

  @Test func `nothing is kept where values are not kept`() throws {
    let fixture = try CacheFixture(Self.files)
    let cache = fixture.cache(keepsValues: false)
    cache.record(try CachedReading(fixture.root, with: cache).folders)
    #expect(fixture.file == nil)
    // A file that was written when values were still kept.
    try fixture.read()
    let known = fixture.cache()
    _ = try CachedReading(fixture.root, with: known)
    let count = known.hits
    #expect(known.isCurrent(entryCount: count))
    let later = fixture.cache(keepsValues: false)
    let reading = try CachedReading(fixture.root, with: later)
    #expect(!later.isCurrent(entryCount: count))
    later.record(reading.folders)
    #expect(fixture.file == nil)
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs root"))
  func `nothing is kept of what is mounted below the root`() throws {
    let fixture = try CacheFixture(Self.files)
    let device = try FileStatus(in: AT_FDCWD, fixture.root).stamp.identity.device
    let mount = try TemporaryMount("-t tmpfs none", at: "items/mounted", in: fixture.temporary)
    try fixture.write("name: Bo\n", to: "mounted/b.yaml")
    let cache = fixture.cache(device: device)
    cache.record(try CachedReading(fixture.root, with: cache).folders)
    let second = try CachedReading(fixture.root, with: fixture.cache(device: device))
    #expect(second.opened == 1)
    #expect(second.listed == 1)
    withExtendedLifetime(mount) {}
  }

  @Test func `a home that cannot be written costs only speed`() throws {
    let fixture = try CacheFixture(Self.files)
    try fixture.temporary.write("a file", to: "cache")
    #expect(try fixture.read().opened == 3)
    #expect(try fixture.read().values == fixture.truth())
  }

  @Test(arguments: Randomness.seeds(4)) func `a reading with a cache equals one without`(_ seed: UInt64)
    throws
  {
    var life = try CacheLife(seed)
    var hits = 0
    for round in 0..<12 {
      let reading = try life.fixture.read()
      #expect(
        reading.values == (try life.fixture.truth()), "round \(round) after \(life.last); \(seedNote(seed))")
      hits += reading.values.count - reading.opened
      for _ in 0..<life.generator.below(3) { try life.change() }
    }
    #expect(hits > 0, "\(seedNote(seed))")
  }
}

/// Random changes of a folder, most of them made to look like none.
private struct CacheLife {
  let fixture: CacheFixture
  var generator: SeededGenerator
  private(set) var last: [String] = []

  init(_ seed: UInt64) throws {
    generator = SeededGenerator(seed: seed)
    var files: [String: String] = [:]
    for number in 0..<20 { files[Self.name(number)] = "n: \(100 + number)\n" }
    fixture = try CacheFixture(files)
  }

  private static func name(_ number: Int) -> String {
    ["", "a/", "b/", "a/c/"][number % 4] + "\(number).yaml"
  }

  mutating func change() throws {
    let one = Self.name(generator.below(20)), other = Self.name(generator.below(20))
    let number = 100 + generator.below(900)
    let changes = [
      "printf 'n: \(number)\\n' > \(one)",
      "cp -p \(one) ../old; printf 'n: \(number)\\n' > \(one); touch -r ../old \(one); rm ../old",
      "mv \(one) \(other)",
      "mv -T --exchange \(one) \(other) 2> /dev/null || { mv \(one) ../t; mv \(other) \(one); mv ../t \(other); }",
      "cp -a . ../backup; printf 'n: \(number)\\n' > \(one); rm -r a b; cp -a ../backup/. .; rm -r ../backup",
      "mv a t; mv b a; mv t b; mkdir -p a/c b/c",
      "rm -f \(one)", "touch \(one)", "chmod 640 \(one)", "ln -f \(one) \(other)",
      "echo '[' > \(one)", "rm -f \(one); mkdir \(one)", "touch -d '2001-01-01' \(one)",
      "touch -d '+1 year' \(one)",
      "printf 'n: 1\\n' > new\(number).yaml", "rm -rf a/c; mkdir -p a/c; printf 'n: 2\\n' > a/c/3.yaml",
      "printf 'n: \(number)\\n' > t; mv t \(one)",
    ]
    let change = generator.one(of: changes)
    last = last.suffix(4) + [change]
    _ = try? fixture.temporary.shell("cd items; mkdir -p a/c b; \(change)")
  }
}
