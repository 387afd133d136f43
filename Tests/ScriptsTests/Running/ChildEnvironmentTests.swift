import Files
import Testing
import Processes

@testable import Scripts

@Suite struct ChildEnvironmentTests {
  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  @Test func `an addition replaces all entries of its name`() {
    let environment = Child.environment(
      adding: [("A", bytes("new")), ("EMPTY", [])], to: ["A=1", "AB=2", "B=A=3", "A=4"].map(bytes))
    #expect(environment == ["AB=2", "B=A=3", "A=new", "EMPTY="].map(bytes))
  }

  @Test func `bytes that are not text stay as they are`() {
    let environment = Child.environment(adding: [("ROOT", [0x2F, 0xFF, 0x0A])], to: [bytes("K=") + [0xC3]])
    #expect(environment == [bytes("K=") + [0xC3], bytes("ROOT=") + [0x2F, 0xFF, 0x0A]])
  }

  @Test func `a value ends at its first NUL`() {
    #expect(Child.environment(adding: [("A", [0x31, 0, 0x32])], to: []) == [bytes("A=1")])
  }

  @Test func `entries that no shell can use are passed on`() {
    let inherited = ["", "novalue", "1A=x", "_=y"].map(bytes)
    #expect(Child.environment(adding: [], to: inherited) == inherited)
  }

  @Test func `the current environment has the search path`() {
    #expect(Child.currentEnvironment.contains { $0.starts(with: bytes("PATH=")) })
  }
}
