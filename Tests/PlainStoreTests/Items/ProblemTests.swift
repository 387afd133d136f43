import Files
@testable import Store
import Testing

@testable import Query

struct ProblemTests {
  @Test func `a problem is described as compilers describe it`() {
    #expect(Problem(path: "a.md", line: 3, column: 7, message: "No.").description == "a.md:3:7: No.")
    #expect(Problem(path: .root, message: "No.").description == ".:1:1: No.")
    #expect(Problem(path: "a\nb.md", message: "No.").description == "a%0Ab.md:1:1: No.")
  }

  @Test func `a change knows its problem`() {
    let problem = Problem(path: "a.md", message: "No.")
    #expect(ProblemChange.raised(problem).problem == problem)
    #expect(ProblemChange.cleared(problem).problem == problem)
  }
}
