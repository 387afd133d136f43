import Files
import Glibc
import SystemPackage
import TestSupport
import Testing

struct FileDescriptorContentsTests {
  @Test func `a file is read from its start without moving the offset`() throws {
    let folder = try TemporaryFolder(["a": "0123456789"])
    let file = try Descriptor.open("\(folder.path)/a", O_RDONLY)
    #expect(try FileDescriptor(rawValue: file.raw).contents() == Array("0123456789".utf8))
    #expect(file.prefix(4) == Array("0123".utf8))
    #expect(file.prefix(12) == Array("0123456789".utf8))
    #expect(lseek(file.raw, 0, SEEK_CUR) == 0)
  }

  @Test func `the error of a call is thrown`() throws {
    let folder = try TemporaryFolder(["a": ""])
    let file = try Descriptor.open("\(folder.path)/a", O_RDONLY)
    #expect(throws: Errno.badFileDescriptor) { try file.write(all: [1]) }
    #expect(throws: Errno.noSuchFileOrDirectory) { try Descriptor.folder("\(folder.path)/none").release() }
    #expect(throws: Errno.notDirectory) { try Descriptor.folder("\(folder.path)/a").release() }
  }
}
