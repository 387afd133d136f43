import Files
import Glibc
import SystemPackage
import TestSupport
import Testing
import Processes

@testable import StateStore

@Suite struct CacheFolderTests {
  private let temporary: TemporaryFolder
  private let folder: CacheFolder
  private let name = "kept.cache"

  init() throws {
    temporary = try TemporaryFolder()
    folder = CacheFolder(home: "\(temporary.path)/home")
  }

  private func names() throws -> Set<String> {
    Set(try temporary.shell("ls -A home/notes-watch").split(separator: "\n").map(String.init))
  }

  private func replace(_ text: String = "new") throws {
    try folder.replace(name) { file throws(Errno) in
      try CacheFolder.write(Array(text.utf8), at: 0, to: file)
    }
  }

  @Test func `writing creates private folders`() throws {
    try replace()
    #expect(
      try temporary.shell("stat -c %a home home/notes-watch home/notes-watch/\(name)") == "700\n700\n600\n")
  }

  @Test func `a folder that others could enter becomes private`() throws {
    try temporary.shell("mkdir -p -m 755 home/notes-watch")
    try replace()
    #expect(try temporary.shell("stat -c %a home/notes-watch") == "700\n")
  }

  @Test(.enabled(if: Machine.isRoot, "needs root")) func `nothing is written in the folder of another user`()
    throws
  {
    try temporary.shell("mkdir -p home/notes-watch; chown 1234 home/notes-watch")
    #expect(throws: Errno.permissionDenied) { try replace() }
    #expect(try names() == [])
  }

  @Test(.enabled(if: Machine.isRoot, "needs root"), arguments: ["", "home"])
  func `root creates no folder in one of another user`(_ existing: String) throws {
    try temporary.shell("mkdir -p ./\(existing); chown -R 1234 .")
    #expect(throws: Errno.permissionDenied) { try replace() }
    #expect(try temporary.shell("ls -A") == (existing.isEmpty ? "" : "\(existing)\n"))
    #expect(try temporary.shell("find . -uid 0") == "")
  }

  @Test func `a write that fails leaves the old file and nothing else`() throws {
    try replace("old")
    #expect(throws: Errno.noSpace) { try folder.replace(name) { _ throws(Errno) in throw .noSpace } }
    #expect(try names() == [name])
    #expect(try temporary.shell("cat home/notes-watch/\(name)") == "old")
  }

  @Test(.enabled(if: TemporaryMount.isPossible, "needs root"))
  func `a full disk leaves the old file and nothing else`() throws {
    let mount = try TemporaryMount("-t tmpfs -o size=64k none", at: "home", in: temporary)
    try replace("old")
    #expect(throws: Errno.noSpace) { try replace(String(repeating: "x", count: 100_000)) }
    #expect(try names() == [name])
    #expect(try temporary.shell("cat home/notes-watch/\(name)") == "old")
    withExtendedLifetime(mount) {}
  }

  @Test func `writing removes what nobody used for a month`() throws {
    try replace()
    try temporary.shell(
      """
      cd home/notes-watch
      touch -d '-29 days' used.cache; touch -d '-31 days' unused.cache; touch -d '-31 days' other
      touch -d '-2 hours' .new-1-1; touch .new-1-2
      """)
    try replace()
    #expect(try names() == [name, "used.cache", "other", ".new-1-2"])
  }

  @Test func `writing removes what was used least recently above the size limit`() throws {
    try temporary.shell(
      """
      mkdir -p home/notes-watch; cd home/notes-watch
      for n in 1 2 3; do truncate -s 400M $n.cache; touch -d "-$n days" $n.cache; done
      truncate -s 1M 4.cache; touch -d '-4 days' 4.cache
      """)
    try replace()
    #expect(try names() == [name, "1.cache", "2.cache", "4.cache"])
  }

  @Test func `a file larger than the limit is not written`() throws {
    #expect(throws: Errno.fileTooLarge) {
      try folder.replace(name) { file throws(Errno) in
        try CacheFolder.write([1], at: CacheFolder.maxSize, to: file)
      }
    }
    #expect(try names() == [])
  }

  @Test func `a use is recorded once a day`() throws {
    try replace()
    for (age, isNow) in [("-2 days", true), ("+2 days", true), ("-20 hours", false)] {
      try temporary.shell("touch -d '\(age)' home/notes-watch/\(name)")
      let file = try Descriptor.open("\(folder.path)/\(name)", O_RDONLY)
      folder.markAsUsed(file.raw, named: name)
      let modified = try FileStatus(of: file.raw).stamp.modified.seconds
      #expect((abs(modified - Int64(time(nil))) < 100) == isNow, "\(age)")
    }
  }

  @Test func `the home of caches is an absolute path`() {
    #expect(UserFolder.cache.path(["XDG_CACHE_HOME": "/cache", "HOME": "/home/ada"]) == "/cache")
    #expect(UserFolder.cache.path(["XDG_CACHE_HOME": "cache", "HOME": "/home/ada"]) == "/home/ada/.cache")
    #expect(UserFolder.cache.path(["HOME": "/home/ada"]) == "/home/ada/.cache")
    #expect(UserFolder.cache.path(["HOME": "ada"]) == nil)
    #expect(UserFolder.cache.path([:]) == nil)
  }
}
