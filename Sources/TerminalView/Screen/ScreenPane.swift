import PlainStore
import TerminalDevice

/// A part of the screen beside or over the list: the detail, the log, help, a menu, a form, a line
/// that is edited.
///
/// It takes input while it has the focus, and draws itself into an area. Drawing depends on the
/// state and the area alone.
protocol ScreenPane: Sendable {
  /// Takes an input.
  mutating func handle(_ input: TerminalInput, at time: ContinuousClock.Instant) -> PaneResult

  /// Takes what happened elsewhere: the list changed, the cursor moved, an action ended.
  mutating func receive(_ news: ScreenNews, at time: ContinuousClock.Instant) -> PaneResult

  /// Draws the pane, and places the cursor if a line in it is being edited.
  func draw(into canvas: inout Canvas, area: ScreenArea)

  /// Returns the part of the screen that a pane over the list covers. The screen calls it for
  /// `Screen.dialog` alone; lines, the detail and the log have areas of their own.
  ///
  /// - Parameter whole: The area of the list and the panes beside it.
  func area(within whole: ScreenArea) -> ScreenArea
}

extension ScreenPane {
  /// Ignores the news.
  mutating func receive(_ news: ScreenNews, at time: ContinuousClock.Instant) -> PaneResult { .unhandled }

  /// Returns the complete area.
  func area(within whole: ScreenArea) -> ScreenArea { whole }
}

/// What a pane did with an input.
enum PaneResult: Sendable {
  /// The input is not for the pane; the screen may use it.
  case unhandled
  /// The pane stays open.
  case handled([ScreenEffect])
  /// The pane closes.
  case closed([ScreenEffect])
}

/// What panes are told besides their input.
enum ScreenNews: Sendable {
  /// The list changed.
  case list(ListReport)
  /// The cursor is on another item, or its item changed; nil if the list is empty.
  case current(Item?)
  /// The file of an item was read.
  case document(ItemDocument)
  /// An action ended.
  case outcome(ActionOutcome)
}

/// What a pane may need when it opens: the items that it is about, as they were painted when the
/// key was pressed, and the list as it is.
struct PaneContext: Sendable {
  /// The items of the action: the selected ones, or the one under the cursor.
  var targets: [PaintedItem]
  /// The item under the cursor, as it was painted.
  var current: Item?
  /// The newest list; nil before the first one.
  var snapshot: ResultsSnapshot?
  /// The settings of the folder.
  var settings: Settings
  /// The columns of the list.
  var columns: [FieldPath]
}
