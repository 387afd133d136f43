import Terminal

/// An action that a key of the full screen does. The raw value is its name in `config.yaml`.
package enum BrowseAction: String, CaseIterable, Sendable {
  case down
  case up
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case first
  case last
  case left
  case right
  case nextChange = "next-change"
  case previousChange = "previous-change"

  case search
  case predicate
  case sort
  case reverse
  case section
  case columns
  case view

  case accept
  case edit
  case delete
  case undo
  case redo
  case add
  case set
  case select
  case copy
  case copyPath = "copy-path"

  case detail
  case detailDown = "detail-down"
  case detailUp = "detail-up"
  case detailPageDown = "detail-page-down"
  case detailPageUp = "detail-page-up"
  case log
  case pause
  case help
  case redraw

  case leave
  case quit
  case interrupt
  case suspend

  /// A group of actions, in the order in which the help shows them.
  enum Group: String, CaseIterable, Sendable {
    case move = "Move"
    case find = "Find"
    case change = "Change"
    case show = "Show"
    case end = "End"
  }

  var group: Group { entry.group }

  /// A summary of the action for the help and the documentation.
  var summary: String { entry.summary }

  /// The keys of the action, unless `config.yaml` gives it others.
  var defaultKeys: [Key] { entry.keys }

  private var entry: (group: Group, summary: String, keys: [Key]) {
    switch self {
    case .down: (.move, "Go to the next row", [Key("j"), Key(.down), Key(control: "n")])
    case .up: (.move, "Go to the previous row", [Key("k"), Key(.up), Key(control: "p")])
    case .pageDown: (.move, "Go down by a page", [Key(.pageDown), Key(control: "f")])
    case .pageUp: (.move, "Go up by a page", [Key(.pageUp), Key(control: "b")])
    case .halfPageDown: (.move, "Go down by half a page", [Key(control: "d")])
    case .halfPageUp: (.move, "Go up by half a page", [Key(control: "u")])
    case .first: (.move, "Go to the first row", [Key("g"), Key(.home)])
    case .last: (.move, "Go to the last row", [Key("G"), Key(.end)])
    case .left: (.move, "Scroll the columns to the left", [Key(.left), Key("<")])
    case .right: (.move, "Scroll the columns to the right", [Key(.right), Key(">")])
    case .nextChange: (.move, "Go to the next row that changed last", [Key("n")])
    case .previousChange: (.move, "Go to the previous row that changed last", [Key("N")])
    case .search: (.find, "Search; each key filters the list", [Key("/")])
    case .predicate: (.find, "Filter by a predicate, such as rating > 3", [Key(":")])
    case .sort: (.find, "Choose the sort field", [Key("o")])
    case .reverse: (.find, "Reverse the sort order", [Key("O")])
    case .section: (.find, "Choose the sections", [Key("s")])
    case .columns: (.find, "Choose the columns, and save them as a view", [Key("c")])
    case .view: (.find, "Choose a named view", [Key("v")])
    case .accept: (.change, "Edit the item; with --print, choose it", [Key(.enter)])
    case .edit: (.change, "Edit the item in $EDITOR", [Key("e")])
    case .delete: (.change, "Delete the item, after a question", [Key("d"), Key(.delete)])
    case .undo: (.change, "Undo the last action", [Key("u")])
    case .redo: (.change, "Redo what was undone last", [Key("U")])
    case .add: (.change, "Add an item", [Key("a")])
    case .set: (.change, "Set fields of the item", [Key("=")])
    case .select: (.change, "Select the item, or deselect it", [Key(" ")])
    case .copy: (.change, "Send the id to the clipboard", [Key("y")])
    case .copyPath: (.change, "Send the path to the clipboard", [Key("Y")])
    case .detail: (.show, "Show or hide the file of the item", [Key(.tab)])
    case .detailDown: (.show, "Scroll the file down", [Key("J")])
    case .detailUp: (.show, "Scroll the file up", [Key("K")])
    case .detailPageDown: (.show, "Scroll the file down by a page", [Key("]")])
    case .detailPageUp: (.show, "Scroll the file up by a page", [Key("[")])
    case .log: (.show, "Show or hide the last changes and problems", [Key("l")])
    case .pause: (.show, "Pause the list, or go on", [Key("p")])
    case .help: (.show, "Show the keys", [Key("?")])
    case .redraw: (.show, "Draw the screen again", [Key(control: "l")])
    case .leave: (.end, "Leave a line, a pane, a selection, a search", [Key(.escape)])
    case .quit: (.end, "Quit", [Key("q")])
    case .interrupt: (.end, "End at once, with exit code 130", [Key(control: "c")])
    case .suspend: (.end, "Suspend the program", [Key(control: "z")])
    }
  }
}

extension Key {
  init(_ character: Character) {
    self.init(.character(character))
  }

  init(control character: Character) {
    self.init(.character(character), .control)
  }

  init(alt character: Character) {
    self.init(.character(character), .alt)
  }
}
