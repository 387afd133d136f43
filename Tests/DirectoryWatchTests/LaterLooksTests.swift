import Testing

@testable import DirectoryWatch

@Suite struct LaterLooksTests {
  private let start = SuspendingClock().now

  @Test func eachPlaceHasATimeOfItsOwn() {
    var later = LaterLooks()
    #expect(later.deadline == nil && later.takeDue(at: start + .seconds(9)).isEmpty)
    let (file, folder) = (RelativePath(bytes: "a".utf8), RelativePath(bytes: "d".utf8))
    later.schedule(DirtyPaths(subtrees: [folder]), at: start + .seconds(2))
    later.schedule(DirtyPaths(files: [file]), at: start + .seconds(1))
    #expect(later.deadline == start + .seconds(1))
    #expect(later.takeDue(at: start).isEmpty)
    #expect(later.takeDue(at: start + .seconds(1)) == DirtyPaths(files: [file]))
    #expect(later.deadline == start + .seconds(2))
    #expect(later.takeDue(at: start + .seconds(3)) == DirtyPaths(subtrees: [folder]))
    // Nothing is left that would wake anybody.
    #expect(later.deadline == nil)
  }

  @Test func theTimeAskedForLastHolds() {
    var later = LaterLooks()
    let places = DirtyPaths(files: [RelativePath(bytes: "a".utf8)])
    later.schedule(places, at: start + .seconds(1))
    later.schedule(places, at: start + .seconds(5))
    #expect(later.takeDue(at: start + .seconds(4)).isEmpty)
    #expect(later.takeDue(at: start + .seconds(5)) == places)
  }

  @Test func nothingToScheduleSetsNoTime() {
    var later = LaterLooks()
    later.schedule(DirtyPaths(), at: start)
    #expect(later.deadline == nil)
  }
}
