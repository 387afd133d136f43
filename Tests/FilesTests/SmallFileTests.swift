import Glibc
import SystemPackage
import TestSupport
import Testing

@testable import Files

struct SmallFileTests {
  private static func read(_ name: String, in folder: TemporaryFolder, room: Int = 100) throws -> String? {
    let directory = try Descriptor.folder(folder.path)
    var buffer = [UInt8](repeating: 0, count: room)
    let stamp = buffer.withUnsafeMutableBytes { FileStatus.readSmallFile(in: directory.raw, name, into: $0) }
    return stamp.map { String(decoding: buffer[..<Int($0.size)], as: UTF8.self) }
  }

  @Test func `a regular file that fits is read`() throws {
    let folder = try TemporaryFolder(["a": "text", "empty": ""])
    #expect(try SmallFileTests.read("a", in: folder) == "text")
    #expect(try SmallFileTests.read("empty", in: folder) == "")
  }

  @Test func `a file that fills the buffer is not read`() throws {
    let folder = try TemporaryFolder(["a": "text"])
    #expect(try SmallFileTests.read("a", in: folder, room: 5) == "text")
    #expect(try SmallFileTests.read("a", in: folder, room: 4) == nil)
    #expect(try SmallFileTests.read("a", in: folder, room: 0) == nil)
  }

  @Test(arguments: ["gone", "link", "folder", "fifo"])
  func `nothing else is read`(name: String) throws {
    let folder = try TemporaryFolder(["a": "text"])
    try folder.shell("ln -s a link; mkdir folder; mkfifo fifo")
    #expect(try SmallFileTests.read(name, in: folder) == nil)
  }

  @Test func `the stamp is that of the file`() throws {
    let folder = try TemporaryFolder(["a": "text"])
    let directory = try Descriptor.folder(folder.path)
    var buffer = [UInt8](repeating: 0, count: 10)
    let stamp = buffer.withUnsafeMutableBytes { FileStatus.readSmallFile(in: directory.raw, "a", into: $0) }
    let expected = try FileStatus(in: directory.raw, "a").stamp
    #expect(stamp == expected)
  }
}
