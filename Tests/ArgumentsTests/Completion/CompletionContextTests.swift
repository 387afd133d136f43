import ArgumentParser
import Printing
import Store
import TestSupport
import Testing

@testable import notes_watch

@Suite struct CompletionContextTests {
  private func context(_ line: String) -> CompletionContext {
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    return CompletionContext(words.dropLast(), current: words.last ?? "")
  }

  private func words(_ line: String) -> [String] {
    if case .words(let words) = context(line).target { words.map(\.text) } else { [] }
  }

  @Test(
    arguments: [
      ("list ", CompletionTarget.folders([])), ("list d x", .nothing), ("d ", .nothing),
      ("git install ", .folders([])),
      ("get d a", .data(.ids, after: "")), ("rm d a b", .data(.ids, after: "")),
      ("log d a", .data(.ids, after: "")), ("log d a b", .nothing),
      ("add d a", .data(.folders, after: "")), ("set d a", .data(.ids, after: "")),
      ("set d a b", .data(.idsOrFields(after: "="), after: "")),
      ("set d a x=", .nothing), ("unset d a b", .data(.idsOrFields(after: ""), after: "")),
      ("edit d -- a", .data(.ids, after: "")),
      ("diff d ma", .data(.revisions, after: "")), ("diff d main..to", .data(.revisions, after: "main..")),
      ("diff d main...to", .data(.revisions, after: "main...")), ("diff d a b c", .nothing),
      ("list d --view ", .data(.views, after: "")), ("list d --view=x", .data(.views, after: "--view=")),
      ("list d --section-order a,b", .data(.sections, after: "a,")),
      ("list d --sort ", .data(.fields(before: "", after: "", hasPseudoFields: true), after: "")),
      ("list d --sort -", .data(.fields(before: "-", after: "", hasPseudoFields: true), after: "")),
      ("d --sort=a,-b", .data(.fields(before: "-", after: "", hasPseudoFields: true), after: "--sort=a,")),
      ("list d --section -g", .data(.fields(before: "-", after: "", hasPseudoFields: true), after: "")),
      ("list d --id-field a,", .data(.fields(before: "", after: "", hasPseudoFields: false), after: "a,")),
      ("list d --where ra", .data(.fields(before: "", after: " ", hasPseudoFields: true), after: "")),
      ("list d --limit ", .nothing),
      ("d -- ", .command(at: 2)), ("watch d -- make al", .command(at: 3)),
      ("d --state x -- ", .command(at: 4)),
    ] as [(String, CompletionTarget)])
  func `a word can be what its place says`(line: String, target: CompletionTarget) {
    #expect(context(line).target == target)
  }

  @Test func `the first word is a command or a folder`() {
    guard case .folders(let candidates) = context("").target else {
      return #expect(Bool(false), "no folders")
    }
    let shown = NotesWatch.configuration.subcommands.filter { $0.configuration.shouldDisplay }.map {
      $0.configuration.commandName ?? ""
    }
    #expect(candidates.map(\.text) == shown + ["help"])
  }

  @Test func `options that were given are not offered again`() {
    #expect(words("list d --li").contains("--limit"))
    #expect(!words("list d --limit 3 --li").contains("--limit"))
    #expect(words("list d --where x --wh").contains("--where"))
    #expect(words("git ") == ["install", "uninstall", "status"])
    #expect(words("help li").contains("list"))
    #expect(words("list d -o ") == ListFormat.allCases.map(\.rawValue))
    #expect(words("list d --color=") == ["--color=auto", "--color=always", "--color=never"])
  }

  @Test func `the folder and the view are known`() {
    let context = context("list d --view v --section=g --section-order ")
    #expect(context.folder == "d")
    #expect(context.values == ["--view": "v", "--section": "g"])
  }

  @Test(arguments: Randomness.seeds(30)) func `no line makes the program fail`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let parts = [
      "list", "set", "git", "help", "--", "-", "--sort", "--sort=", "-o", "-n", "--prefix", "d", "a=b", "",
      "=", "--=", "-=", ",", "..",
      "é",
    ]
    let words = (0...random.below(6)).map { _ in
      random.one(of: parts) + (random.oneIn(4) ? random.one(of: parts) : "")
    }
    let context = CompletionContext(words.dropLast(), current: words.last ?? "")
    if case .command(let index) = context.target { #expect(index <= words.count, "\(seedNote(seed))") }
  }
}
