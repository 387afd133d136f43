import Testing

@testable import DirectoryWatch

@Suite struct DirtyPathsTests {
  private let path = RelativePath(bytes: "a".utf8)

  private var reminder: DirtyPaths {
    var batch = DirtyPaths()
    batch.isReminder = true
    return batch
  }

  @Test func aReminderSurvivesAMergeAndSaysNothingOfTheOrigin() {
    #expect(!reminder.isEmpty)
    var batch = reminder
    batch.formUnion(DirtyPaths(files: [path], origin: .git))
    #expect(batch.isReminder && batch.origin == .git && batch.files == [path])
    var other = DirtyPaths(files: [path], origin: .git)
    other.formUnion(reminder)
    #expect(other == batch)
  }

  @Test func theEarliestTimeIsKeptAndIsNoPartOfEquality() {
    let now = SuspendingClock().now
    var early = DirtyPaths(files: [path]), late = DirtyPaths(files: [path])
    early.note(since: now)
    late.note(since: now + .seconds(1))
    #expect(early == late && Set([early, late]).count == 1)
    late.formUnion(early)
    #expect(late.since == now)
    late.formUnion(DirtyPaths())
    #expect(late.since == now)
  }
}
