@testable import Store
import Terminal
import Values
import Streams

@testable import Browse
@testable import Folder
@testable import Query

/// Drives a screen without a terminal and without a folder: keys as text, files as text, and the
/// screen as lines of text.
///
/// It does what the loop and the follower do: it draws a frame after each event (unless
/// `paintsAtOnce` is false), changes the request when the screen asks for that, and keeps all other
/// effects for the test.
///
/// ```swift
/// var driver = ScreenDriver(["ada.yaml": "rating: 9", "bob.yaml": "rating: 8"], columns: 40, rows: 10)
/// driver.press("j", "d")
/// driver.write("ada.yaml", "rating: 10")
/// #expect(driver.line(of: "ada") == "~>  ada  10")
/// ```
struct ScreenDriver {
  private(set) var screen: Screen
  /// The effects that the driver does not perform itself, in order.
  var effects: [ScreenEffect] = []
  /// The frame that was drawn last.
  private(set) var canvas: Canvas
  /// The number of the last frame that was drawn.
  private(set) var frame = 0
  /// The number of the frame to which the next input belongs.
  var paintedFrame = 0
  /// True if each event is followed by a frame that the terminal shows at once.
  var paintsAtOnce = true
  /// True if the screen gets the list of a search at once; otherwise `answerSearch()` reports it.
  var answersSearches = true
  /// True if the screen gets each file that it asks for at once.
  var readsFiles = true
  /// The time of the next event.
  var time = ContinuousClock.now
  /// The files.
  private(set) var store = MemoryStore()
  /// The request of the list.
  private(set) var request: FetchRequest
  /// The list that was reported last.
  private(set) var list: ListSnapshot<Item>

  /// Creates a screen that shows a list of files.
  init(
    _ files: [String: String] = [:], request: FetchRequest = FetchRequest(), columns: Int = 80,
    rows: Int = 24,
    options: ScreenOptions = ScreenOptions(), settings: Settings = Settings()
  ) {
    screen = Screen(size: ScreenSize(columns: columns, rows: rows), options: options)
    canvas = screen.draw()
    store.settings = settings
    for (path, text) in files { store.write(path, text) }
    self.request = request
    list = store.snapshot(request)
    send(.list(report(nil)))
  }

  /// Sends an event, performs the changes of the request, and draws.
  mutating func send(_ event: ScreenEvent) {
    perform(screen.handle(event, at: time))
    if paintsAtOnce { paint() }
  }

  /// Sends an input that was pressed while the painted frame was on the terminal.
  mutating func input(_ input: TerminalInput) { send(.input(input, frame: paintedFrame)) }

  /// Presses keys by their names: `j`, `enter`, `ctrl-d`.
  mutating func press(_ names: String...) {
    for name in names { input(.key(Key(named: name))) }
  }

  /// Types the characters of a text.
  mutating func type(_ text: String) {
    for character in text { input(.key(Key(.character(character)))) }
  }

  /// Uses the mouse.
  mutating func mouse(_ action: MouseAction, row: Int, column: Int = 5) {
    input(.mouse(action, CellPosition(row: row, column: column), []))
  }

  /// Resizes the window.
  mutating func resize(columns: Int, rows: Int) { send(.resize(ScreenSize(columns: columns, rows: rows))) }

  /// Writes a file, and reports the new list.
  mutating func write(_ path: String, _ text: String, origin: UpdateOrigin = .files) {
    change(origin: origin) { $0.write(path, text) }
  }

  /// Removes a file, and reports the new list.
  mutating func remove(_ path: String) {
    change { $0.remove(path) }
  }

  /// Changes files, and reports the new list with one update.
  mutating func change(origin: UpdateOrigin = .files, _ body: (inout MemoryStore) -> Void) {
    body(&store)
    report(origin)
  }

  /// Changes the request, as another view does.
  mutating func show(_ request: FetchRequest) {
    self.request = request
    report(.view)
  }

  /// Draws the screen as a frame, and gives it to the terminal. It is under way until
  /// `showFrames()`.
  mutating func draw() {
    canvas = screen.draw()
    frame += 1
    perform(screen.handle(.drawn(frame: frame), at: time))
  }

  /// Makes the terminal show the frames up to a number, or all that are under way.
  mutating func showFrames(to number: Int? = nil) {
    paintedFrame = max(paintedFrame, min(number ?? frame, frame))
    perform(screen.handle(.painted(frame: paintedFrame), at: time))
  }

  /// Draws a frame that the terminal shows at once.
  mutating func paint() {
    draw()
    showFrames()
  }

  /// Reports the list of the searches that were not answered yet.
  mutating func answerSearch() { report(.view) }

  private mutating func report(_ origin: UpdateOrigin) {
    let old = list
    list = store.snapshot(request)
    let update = ListUpdate<Item>(from: old, to: list, touched: nil, origin: origin)
    send(.list(report(update.diff.isEmpty ? nil : update)))
  }

  private func report(_ update: ListUpdate<Item>?) -> ListReport {
    var report = ListReport(list, update, settings: store.settings, isPolled: false)
    report.storeCount = store.count
    return report
  }

  private mutating func perform(_ effects: [ScreenEffect]) {
    for effect in effects {
      if readsFiles, case .load(let row) = effect {
        self.perform(screen.handle(.document(store.document(row)), at: time))
        continue
      }
      guard case .change(let change) = effect else {
        self.effects.append(effect)
        continue
      }
      switch change {
      case .search(let text): request.typedSearch = text
      case .predicate(let predicate): request.predicate = predicate
      case .sort(let sort): request.sort = sort
      case .section(let section): request.section = section
      case .columns(let fields, let widths): (request.fields, request.widths) = (fields, widths)
      case .view(let name):
        request = name.flatMap { try? store.settings.view(named: $0).request } ?? FetchRequest()
      }
      request.sortsByRelevance = request.searches
      if case .search = change, !answersSearches { continue }
      let old = list
      list = store.snapshot(request)
      self.perform(
        screen.handle(
          .list(report(ListUpdate<Item>(from: old, to: list, touched: nil, origin: .view))), at: time))
    }
  }
}

/// What a test reads from the screen.
extension ScreenDriver {
  /// The lines of the last frame, without the blanks at their ends.
  var lines: [String] {
    (0..<canvas.size.rows).map { row in
      var text = canvas.text(row: row)
      while text.last == " " { text.removeLast() }
      return text
    }
  }

  /// The lines of the last frame as one text, for messages.
  var text: String { lines.joined(separator: "\n") }

  /// The status line.
  var status: String { lines.last ?? "" }

  /// The id of the cursor's row; of a problem the path.
  var cursor: String? { screen.area.cursor?.description }

  /// The ids of the rows on the screen, from the top; of problems the paths.
  var rows: [String] { screen.rows.sorted { $0.key < $1.key }.map(\.value.description) }

  /// Returns the line of the screen that shows an item; nil if none does.
  func line(of id: Item.ID) -> String? {
    screen.rows.first { $0.value.subject == .item(id) }.map { lines[$0.key] }
  }

  /// The ids of the items of the last action; empty if there was none.
  var lastTargets: [String] {
    for effect in effects.reversed() {
      switch effect {
      case .act(.edit(let items)), .act(.delete(let items)), .act(.assign(let items, _)):
        return items.map(\.id.description)
      case .quit(.chosen(let ids, _)): return ids.map(\.description)
      default: continue
      }
    }
    return []
  }
}

extension Key {
  /// Creates a key from its name; a question mark if there is no such key.
  init(named name: String) {
    self =
      Key(parsing: name) ?? Key.byName[name] ?? Key(.character(name.count == 1 ? name.first ?? "?" : "?"))
    if let control = name.split(separator: "-").last, name.hasPrefix("ctrl-"), let character = control.first {
      self = Key(.character(character), .control)
    }
  }

  private static let byName: [String: Key] = [
    "enter": Key(.enter), "tab": Key(.tab), "esc": Key(.escape), "space": Key(.character(" ")),
    "up": Key(.up), "down": Key(.down),
    "home": Key(.home), "end": Key(.end), "pgup": Key(.pageUp), "pgdn": Key(.pageDown),
    "delete": Key(.delete),
    "backspace": Key(.backspace), "left": Key(.left), "right": Key(.right),
  ]
}
