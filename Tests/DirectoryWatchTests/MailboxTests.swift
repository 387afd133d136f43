import Testing

@testable import DirectoryWatch

@Suite(.timeLimit(.minutes(1))) struct MailboxTests {
  private func batch(_ names: String..., origin: DirtyPaths.Origin = .files) -> DirtyPaths {
    DirtyPaths(files: Set(names.map { RelativePath(bytes: $0.utf8) }), origin: origin)
  }

  @Test func mergesWhatNobodyFetched() async {
    let mailbox = Mailbox()
    for name in ["a", "b", "a", "c"] { mailbox.put(batch(name)) }
    #expect(await mailbox.take() == batch("a", "b", "c"))
  }

  @Test func whatIsOfTwoOriginsIsOfFiles() async {
    let mailbox = Mailbox()
    mailbox.put(batch("a", origin: .git))
    #expect(await mailbox.take() == batch("a", origin: .git))
    mailbox.put(batch("a", origin: .git))
    mailbox.put(batch("b", origin: .git))
    #expect(await mailbox.take() == batch("a", "b", origin: .git))
    mailbox.put(batch("a", origin: .git))
    mailbox.put(batch("b"))
    #expect(await mailbox.take() == batch("a", "b"))
  }

  @Test func knowsWhetherGitOvertookABatch() async {
    let mailbox = Mailbox()
    mailbox.put(batch("a"))
    #expect(!mailbox.isOvertaken(batch("a", "b")))
    mailbox.put(batch("c", origin: .git))
    #expect(mailbox.isOvertaken(batch("a", "b")) && !mailbox.isOvertaken(batch("b")))
    _ = await mailbox.take()
    #expect(!mailbox.isOvertaken(batch("a", "b")))
  }

  @Test func handsABatchToTheReaderThatWaits() async {
    let mailbox = Mailbox()
    async let taken = mailbox.take()
    mailbox.put(batch("a"))
    #expect(await taken == batch("a"))
  }

  @Test func aCancelledReaderEndsAndLosesNothing() async {
    let mailbox = Mailbox()
    let reader = Task { await mailbox.take() }
    reader.cancel()
    #expect(await reader.value == nil)
    mailbox.put(batch("a"))
    let late = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await mailbox.take()
    }
    #expect(await late.value == nil)
    #expect(await mailbox.take() == batch("a"))
  }

  @Test func closingEndsEveryReader() async {
    let mailbox = Mailbox()
    let readers = (0..<3).map { _ in Task { await mailbox.take() } }
    mailbox.close()
    for reader in readers { #expect(await reader.value == nil) }
    mailbox.put(batch("a"))
    #expect(await mailbox.take() == nil)
  }

  /// Every name that is put comes out, once or more, whoever reads and whoever is cancelled.
  @Test func losesNothingInARace() async {
    let mailbox = Mailbox()
    let names = (0..<500).map { "f\($0)" }
    let reader = Task {
      var seen: Set<RelativePath> = []
      while seen.count < names.count {
        let attempt = Task { await mailbox.take() }
        if seen.count % 3 == 0 { attempt.cancel() }
        seen.formUnion(await attempt.value?.files ?? [])
      }
      return seen
    }
    for name in names {
      mailbox.put(batch(name))
      await Task.yield()
    }
    #expect(await reader.value.count == names.count)
  }
}
