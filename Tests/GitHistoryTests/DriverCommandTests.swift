import TestSupport
import Testing

@testable import GitHistory

@Suite struct DriverCommandTests {
  private static let programs = ["/usr/bin/notes-watch", "/two words/it's/n", "/a%b", "/$(touch x)`y`\"z\"", "/é\\n"]

  @Test(arguments: programs) func theProgramIsFoundAgain(program: String) {
    #expect(DriverCommand.program(of: DriverCommand.merge(program).line(escapesPercent: true), escapesPercent: true) == program)
    #expect(DriverCommand.program(of: DriverCommand.diff(program).line(escapesPercent: false), escapesPercent: false) == program)
  }

  @Test(arguments: programs) func theShellReadsIt(program: String) throws {
    let folder = try TemporaryFolder()
    let line = DriverCommand(program: program, arguments: "").line(escapesPercent: false)
    #expect(try folder.shell("printf %s \(line)") == program)
  }

  @Test func othersHaveNone() {
    for line in ["", "notes-watch git textconv", "'open", "\"/x\" y"] {
      #expect(DriverCommand.program(of: line, escapesPercent: true) == nil)
    }
  }
}
