import Files
import Foundation
import Glibc
@testable import Store
import SystemPackage
import TestSupport
import Testing
import Values

@testable import Folder
@testable import Query

struct FileReaderTests {
  private static func read(
    _ path: RelativePath, in folder: TemporaryFolder, limits: ReadLimits = ReadLimits(),
    isRegular: Bool = false, known: FileStamp? = nil
  ) throws -> FileFinding {
    var reader = FileReader(limits: limits)
    let root = try OpenFolder(folder.path)
    let format = try #require(PathRules().format(of: path))
    return reader.read(
      ReadRequest(path: path, format: format, isRegular: isRegular, known: known), below: root)
  }

  private static func problem(of finding: FileFinding) -> Problem? {
    if case .problem(let problem) = finding { problem } else { nil }
  }

  @Test(
    arguments: [
      ("a.yaml", "name: Ada\n"), ("a.json", "{\"name\": \"Ada\"}"),
      ("d/a.md", "---\nname: Ada\n---\nText.\n"),
    ]
      as [(RelativePath, String)])
  func `each format is read below the root`(path: RelativePath, text: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(text, to: path.description)
    for isRegular in [false, true] {
      guard
        case .item(let stamp, let fields) = try FileReaderTests.read(path, in: folder, isRegular: isRegular)
      else {
        Issue.record("no item")
        return
      }
      #expect(fields.value["name"] == "Ada")
      #expect(stamp.size == UInt64(text.utf8.count))
      // With the stamp known there is nothing to read.
      guard case .unchanged = try FileReaderTests.read(path, in: folder, isRegular: isRegular, known: stamp)
      else {
        Issue.record("read again")
        return
      }
    }
  }

  @Test(arguments: ["gone.md", "gone/a.md", "file.md/a.md"] as [RelativePath])
  func `a path without a file is missing`(path: RelativePath) throws {
    let folder = try TemporaryFolder(["file.md": ""])
    for isRegular in [false, true] {
      guard case .missing = try FileReaderTests.read(path, in: folder, isRegular: isRegular) else {
        Issue.record("\(path) is not missing")
        return
      }
    }
  }

  @Test func `a file that cannot be parsed is a problem at its place`() throws {
    let folder = try TemporaryFolder([
      "a.yaml": "a: 1\nb: [", "b.json": "{\n  \"a\": 01}", "c.yaml": "", "d.yaml": "[1]",
    ])
    let places = try (["a.yaml", "b.json", "c.yaml", "d.yaml"] as [RelativePath]).map { path in
      FileReaderTests.problem(of: try FileReaderTests.read(path, in: folder)).map {
        "\($0.path):\($0.line):\($0.column)"
      }
    }
    #expect(places == ["a.yaml:2:4", "b.json:2:8", "c.yaml:1:1", "d.yaml:1:1"])
  }

  /// Opening a FIFO for reading would block forever: the time limit is the test.
  @Test(.timeLimit(.minutes(1)), arguments: [false, true])
  func `links, FIFOs, sockets and folders are problems and never opened`(isRegular: Bool) throws {
    let folder = try TemporaryFolder(["good.md": "text"])
    try folder.makeFIFO("fifo.md")
    try folder.makeFolder("folder.md")
    try folder.makeSocket("socket.md")
    try folder.link("link.md", to: "good.md")
    try folder.link("dangling.md", to: "nowhere")
    try folder.link("outward.md", to: "/etc/passwd")
    try folder.link("loop.md", to: "loop.md")
    let names = [
      "fifo": "a FIFO", "folder": "a folder", "socket": "a socket", "link": "a symbolic link",
      "dangling": "a symbolic link",
    ]
    .merging(["outward": "a symbolic link", "loop": "a symbolic link"]) { a, _ in a }
    for (name, kind) in names {
      let finding = try FileReaderTests.read(
        RelativePath(bytes: "\(name).md".utf8), in: folder, isRegular: isRegular)
      // A link that came after the listing counts as missing until the next scan.
      if isRegular, kind == "a symbolic link" {
        guard case .missing = finding else {
          Issue.record("\(name): \(finding)")
          return
        }
        continue
      }
      #expect(
        FileReaderTests.problem(of: finding)?.message.contains(
          isRegular && name == "socket" ? "cannot be opened" : kind) == true,
        "\(name): \(finding)")
    }
  }

  @Test func `a device is not opened`() throws {
    var reader = FileReader(limits: ReadLimits())
    let root = try OpenFolder("/dev")
    let finding = reader.read(
      ReadRequest(path: "null", format: .markdown, isRegular: false, known: nil), below: root)
    #expect(
      FileReaderTests.problem(of: finding)?.message == "This is a device, not a file; it was not opened.")
  }

  @Test func `a linked folder on the way is not followed`() throws {
    let folder = try TemporaryFolder(["real/a.md": "text"])
    try folder.link("linked", to: "real")
    guard case .missing = try FileReaderTests.read("linked/a.md", in: folder, isRegular: true) else {
      Issue.record("followed")
      return
    }
  }

  @Test func `the size limit is exact`() throws {
    let folder = try TemporaryFolder([
      "a.md": String(repeating: "x", count: 100), "b.md": String(repeating: "x", count: 101),
    ])
    let limits = ReadLimits(maxSize: 100)
    guard case .item = try FileReaderTests.read("a.md", in: folder, limits: limits) else {
      Issue.record("a.md is refused")
      return
    }
    let message = FileReaderTests.problem(of: try FileReaderTests.read("b.md", in: folder, limits: limits))?
      .message
    #expect(message == limits.sizeError(forFileOf: 101)?.message)
  }

  @Test func `a buffer that held a longer file does not leak into a shorter one`() throws {
    let folder = try TemporaryFolder([
      "long.md": String(repeating: "x", count: 10_000), "short.md": "y", "shorter.md": "\n",
    ])
    let root = try OpenFolder(folder.path)
    var reader = FileReader(limits: ReadLimits())
    let bodies = (["long.md", "short.md", "shorter.md"] as [RelativePath]).map { path -> String? in
      guard
        case .item(_, let fields) = reader.read(
          ReadRequest(path: path, format: .markdown, isRegular: true, known: nil), below: root)
      else { return nil }
      return fields.value["body"]?.text
    }
    #expect(bodies == [String(repeating: "x", count: 10_000), "y", "\n"])
  }

  @Test func `files of the kernel, whose size is 0, are read to their end`() throws {
    let root = try OpenFolder("/proc/self")
    var reader = FileReader(limits: ReadLimits())
    guard
      case .item(_, let fields) = reader.read(
        ReadRequest(path: "status", format: .markdown, isRegular: true, known: nil), below: root)
    else {
      Issue.record("not read")
      return
    }
    #expect(fields.value["body"]?.text.contains("VmSize") == true)
  }

  @Test func `a file that cannot be opened is a problem with the reason`() throws {
    let folder = try TemporaryFolder(["a.md": "text"])
    try #require(chmod(folder.path, 0o755) == 0)
    try #require(chmod("\(folder.path)/a.md", 0) == 0)
    let finding = try withoutRoot { try FileReaderTests.read("a.md", in: folder) }
    #expect(FileReaderTests.problem(of: finding)?.message == "The file cannot be opened: permission denied.")
  }

  @Test func `a missing folder cannot be opened, and the error has the reason`() throws {
    let folder = try TemporaryFolder(["a.md": ""])
    #expect(throws: Errno.noSuchFileOrDirectory) { try OpenFolder(folder.path + "/gone") }
    #expect(throws: Errno.notDirectory) { try OpenFolder(folder.path + "/a.md") }
  }
}

extension TemporaryFolder {
  fileprivate func makeSocket(_ name: String) throws {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array("\(path)/\(name)".utf8) + [0]) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) }
    }
    guard result == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  }
}
