import Browse
import Files
import PlainStore

/// The model of `browse --linear`: lines in, lines out. Pure: it knows no terminal, file or clock.
///
/// Numbers change only when the person asks for a list, never by an update: see `PrintedList`. The
/// lines are handled one after the other; a line waits until the effects of those before it are
/// complete.
struct LinearBrowser {
  /// How it starts.
  struct Options {
    /// The name of the folder, as it was typed.
    var folder: String
    /// True if `choose` prints items and ends the program.
    var isFilter = false
    /// True if several items may be chosen.
    var isMulti = false
    /// True if the output is a terminal that has a clipboard.
    var canCopy = false
  }

  /// An event that it handles.
  enum Event {
    case line(String)
    case endOfInput
    case list(ListReport)
    case document(ItemDocument)
    case outcome(ActionOutcome)
  }

  /// What it asks for.
  enum Effect {
    /// Print this line. It is safe for a terminal.
    case print(String)
    case screen(ScreenEffect)
  }

  /// What the next line has to wait for, or answers.
  enum Phase {
    case starting, idle
    /// The list that this change of the request makes.
    case awaitingList(RequestChange)
    case awaitingOutcome
    /// The file of the first of these items.
    case awaitingDocument([Item.ID])
    /// The answer to whether these items are to be deleted.
    case asking([PaintedItem])
    case over
  }

  static let pageSize = 20
  static let maxChangeLines = 20
  static let maxLogLines = 200

  let options: Options
  var phase = Phase.starting
  var report: ListReport?
  var printed: PrintedList?
  var selection: [PaintedItem] = []
  /// The sort fields of the view, for `sort` without fields.
  var viewSort: [ItemSortDescriptor] = []
  var isNewView = true
  var log: [String] = []
  /// The list when `pause` was typed; nil if the output is not paused.
  var pausedAt: ResultsSnapshot?
  /// The problems that were printed.
  var problems: Set<Problem> = []
  /// The warnings that were printed and still hold.
  var warnings: [Hint] = []
  private var lines: [String] = []
  private var isInputOver = false
  private var effects: [Effect] = []

  init(_ options: Options) { self.options = options }

  /// Applies an event, and returns what to do, in its order.
  mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .line(let line): lines.append(line)
    case .endOfInput: isInputOver = true
    case .list(let report): receive(report)
    case .document(let document): receive(document)
    case .outcome(let outcome): receive(outcome)
    }
    handleLines()
    defer { effects = [] }
    return effects
  }

  mutating func say(_ line: String) { effects.append(.print(DisplayText.safe(line))) }

  mutating func perform(_ effect: ScreenEffect) { effects.append(.screen(effect)) }

  mutating func end(_ end: BrowseEnd) {
    phase = .over
    perform(.quit(end))
  }

  private mutating func handleLines() {
    while true {
      switch phase {
      case .idle where !lines.isEmpty: run(lines.removeFirst())
      case .asking(let items) where !lines.isEmpty: answer(lines.removeFirst(), about: items)
      case .idle where isInputOver: end(.nothing)
      case .asking where isInputOver:
        say("Not deleted.")
        end(.nothing)
      default: return
      }
    }
  }

  private mutating func run(_ line: String) {
    do throws(LinearMistake) {
      try run(try LinearCommand(parsing: line))
    } catch {
      say(error.description)
    }
  }
}
