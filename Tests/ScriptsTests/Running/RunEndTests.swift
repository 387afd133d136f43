import Glibc
import Testing

@testable import Scripts

@Suite struct RunEndTests {
  @Test(arguments: [
    (RunEnd.exited(0), CInt(0), "`x` ended with exit code 0."),
    (.exited(3), 3, "`x` failed with exit code 3."),
    (.signaled(SIGKILL), 137, "`x` was ended by signal 9."),
    (.timedOut, 124, "`x` did not end in time and was stopped."),
    (.stopped, 143, "`x` was stopped."),
    (.notStarted("The command `y` is not on $PATH."), 126, "The command `y` is not on $PATH."),
  ])
  func `each end has the status that a shell would report, and a sentence`(
    end: RunEnd, status: CInt, sentence: String
  ) {
    #expect(end.exitStatus == status)
    #expect(end.sentence(about: "x") == sentence)
    #expect(end.isSuccess == (status == 0))
  }
}
