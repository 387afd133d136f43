import Files
import TestSupport
import Testing

@testable import Watch

@Suite struct InotifyTests {
  @Test func `a burst of events is read at once, and handled in order`() throws {
    let folder = try TemporaryFolder()
    let inotify = try Inotify(root: folder.path)
    let watch = try inotify.add(folder.path, [.created, .closedAfterWriting], display: folder.path)
    let names = (0..<3_000).map { "file-\($0).yaml" }
    try folder.shell("seq -f 'file-%g.yaml' 0 2999 | xargs touch")
    let queued = inotify.queuedBytes
    var (created, position, calls) = ([] as [String], 0, 0)
    while case let read = try inotify.read({ event throws(WatchError) in
      #expect(event.watch == watch)
      if event.kinds.contains(.created) { created.append(String(decoding: event.name, as: UTF8.self)) }
    }), read.events > 0 {
      (position, calls) = (position + read.bytes, calls + 1)
      // What was read from the kernel still counts as queued.
      #expect(position + inotify.queuedBytes == queued)
    }
    #expect(created == names)
    #expect(position == queued)
    #expect(calls > 1)
  }

  @Test func `an error while an event is handled keeps the events after it`() throws {
    let folder = try TemporaryFolder()
    let inotify = try Inotify(root: folder.path)
    _ = try inotify.add(folder.path, [.created], display: folder.path)
    try folder.shell("touch a b c")
    #expect(throws: WatchError.self) { try inotify.read { _ throws(WatchError) in throw .opening("a", 1) } }
    var names: [String] = []
    _ = try inotify.read { event throws(WatchError) in
      names.append(String(decoding: event.name, as: UTF8.self))
    }
    #expect(names == ["b", "c"])
  }
}
