import Files
import Testing
import Watch

@testable import Scripts

@Suite struct CommandReportTests {
  @Test(arguments: [
    (
      CommandReport.ended(.exited(3), .retry(after: .seconds(4))),
      "`x` failed with exit code 3. It is started again in 4 s, with everything after step 7."
    ),
    (.ended(.timedOut, .stop), "`x` did not acknowledge step 8 in time and was stopped. The program ends."),
    (
      .ended(.signaled(9), .parked(failures: 20)),
      "`x` was ended by signal 9. It ended 20 times in a row without an acknowledgement, so the changes after step 7 are kept and it is"
        + " not started again. Send SIGHUP to continue, or start the program again."
    ),
    (
      .invalid("12", expected: 8),
      "`x` wrote the line `12`, which is not a valid acknowledgement: only step 8 can be acknowledged now."
    ),
    (
      .invalid("8", expected: nil),
      "`x` wrote the line `8`, which is not a valid acknowledgement: no step waits for an acknowledgement."
    ),
    (.inputClosed, "`x` closed its standard input, so no change can be delivered to it. It is stopped."),
    (.continued, "`x` continues after step 7."),
    (
      .gitTooLong(.rebase, .seconds(600)),
      "A rebase has been in progress for 10 min. `x` gets the changes now."
    ),
  ])
  func `each message says what happened and what follows`(report: CommandReport, message: String) {
    #expect(report.message(about: "x", isPersistent: true, seq: 7) == message)
  }
}
