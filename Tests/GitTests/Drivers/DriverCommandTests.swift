import TestSupport
import Testing

@testable import Git

@Suite struct DriverCommandTests {
  private static let programs = [
    "/usr/bin/notes-watch", "/two words/it's/n", "/a%b", "/$(touch x)`y`\"z\"", "/é\\n",
  ]

  @Test(arguments: programs) func `a command is parsed back to its program`(program: String) {
    #expect(DriverCommand(mergeLine: DriverCommand.merge(program: program).line) == .merge(program: program))
    #expect(DriverCommand(diffLine: DriverCommand.diff(program: program).line) == .diff(program: program))
  }

  @Test(arguments: ["it's", "a b", "$(touch x)", "`y`\"z\"", "é\\n"])
  func `the shell runs the quoted program`(name: String) throws {
    let folder = try TemporaryFolder(["file": "text\n"])
    let program = "\(folder.path)/\(name)"
    #expect(try folder.shell("\(DriverCommand.diff(program: program).line) \"$PWD/file\"") == "text\n")
    try folder.write("#!/bin/sh\necho \"$@\"\n", to: name)
    try folder.shell("chmod +x *")
    #expect(
      try folder.shell("\(DriverCommand.diff(program: program).line) \"$PWD/file\"")
        == "git textconv -- \(folder.path)/file\n")
    let merge = DriverCommand.merge(program: program).line.replacing("%%", with: "%")
    #expect(try folder.shell(merge) == "git merge-file -- %O %A %B %L %P %X %Y\n")
  }

  @Test func `commands of other programs are not parsed`() {
    for line in ["", "notes-watch git textconv", "'open", "\"/x\" y", "'/x' git merge-file %O %A %B"] {
      #expect(DriverCommand(mergeLine: line) == nil, "\(line)")
      #expect(DriverCommand(diffLine: line) == nil, "\(line)")
    }
  }
}
