import Files
import Testing

@testable import Watch

@Suite struct RecheckScheduleTests {
  private let start = SuspendingClock().now

  @Test func `each path has its own time`() {
    var schedule = RecheckSchedule()
    #expect(schedule.deadline == nil)
    #expect(schedule.removeDue(at: start + .seconds(9)).isEmpty)
    let (file, folder) = (RelativePath(bytes: "a".utf8), RelativePath(bytes: "d".utf8))
    schedule.schedule(DirtyPaths(subtrees: [folder]), at: start + .seconds(2))
    schedule.schedule(DirtyPaths(files: [file]), at: start + .seconds(1))
    #expect(schedule.deadline == start + .seconds(1))
    #expect(schedule.removeDue(at: start).isEmpty)
    #expect(schedule.removeDue(at: start + .seconds(1)) == DirtyPaths(files: [file]))
    #expect(schedule.deadline == start + .seconds(2))
    #expect(schedule.removeDue(at: start + .seconds(3)) == DirtyPaths(subtrees: [folder]))
    // Nothing is left that would wake the thread.
    #expect(schedule.deadline == nil)
  }

  @Test func `the last time requested for a path counts`() {
    var schedule = RecheckSchedule()
    let places = DirtyPaths(files: [RelativePath(bytes: "a".utf8)])
    schedule.schedule(places, at: start + .seconds(1))
    schedule.schedule(places, at: start + .seconds(5))
    #expect(schedule.removeDue(at: start + .seconds(4)).isEmpty)
    #expect(schedule.removeDue(at: start + .seconds(5)) == places)
  }

  @Test func `an empty request schedules nothing`() {
    var schedule = RecheckSchedule()
    schedule.schedule(DirtyPaths(), at: start)
    #expect(schedule.deadline == nil)
  }
}
