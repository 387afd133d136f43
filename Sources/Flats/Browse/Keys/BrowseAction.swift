public import Terminal

/// An action that a key of the full screen does. The raw value is its name in `config.yaml`.
public enum BrowseAction: String, CaseIterable, Sendable {
  case down
  case up
  case pageDown = "page-down"
  case pageUp = "page-up"
  case halfPageDown = "half-page-down"
  case halfPageUp = "half-page-up"
  case first
  case last
  case nextChange = "next-change"
  case previousChange = "previous-change"

  case search
  case predicate
  case sort
  case reverse
  case section
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
  public enum Group: String, CaseIterable, Sendable {
    case move = "Move"
    case find = "Find"
    case change = "Change"
    case show = "Show"
    case end = "End"
  }

  /// The group of the action.
  public var group: Group {
    switch self {
    case .down, .up, .pageDown, .pageUp, .halfPageDown, .halfPageUp, .first, .last, .nextChange,
      .previousChange:
      .move
    case .search, .predicate, .sort, .reverse, .section, .view: .find
    case .accept, .edit, .delete, .undo, .redo, .add, .set, .select, .copy, .copyPath: .change
    case .detail, .detailDown, .detailUp, .detailPageDown, .detailPageUp, .log, .pause, .help, .redraw: .show
    case .leave, .quit, .interrupt, .suspend: .end
    }
  }

  /// A summary of the action for the help and the documentation.
  public var summary: String {
    switch self {
    case .down: "Go to the next row"
    case .up: "Go to the previous row"
    case .pageDown: "Go down by a page"
    case .pageUp: "Go up by a page"
    case .halfPageDown: "Go down by half a page"
    case .halfPageUp: "Go up by half a page"
    case .first: "Go to the first row"
    case .last: "Go to the last row"
    case .nextChange: "Go to the next row that changed last"
    case .previousChange: "Go to the previous row that changed last"
    case .search: "Search; each key filters the list"
    case .predicate: "Filter by a predicate, such as rating > 3"
    case .sort: "Choose the sort field"
    case .reverse: "Reverse the sort order"
    case .section: "Choose the sections"
    case .view: "Choose a named view"
    case .accept: "Edit the item; with --print, choose it"
    case .edit: "Edit the item in $EDITOR"
    case .delete: "Delete the item, after a question"
    case .undo: "Undo the last action"
    case .redo: "Redo what was undone last"
    case .add: "Add an item"
    case .set: "Set fields of the item"
    case .select: "Select the item, or deselect it"
    case .copy: "Send the id to the clipboard"
    case .copyPath: "Send the path to the clipboard"
    case .detail: "Show or hide the file of the item"
    case .detailDown: "Scroll the file down"
    case .detailUp: "Scroll the file up"
    case .detailPageDown: "Scroll the file down by a page"
    case .detailPageUp: "Scroll the file up by a page"
    case .log: "Show or hide the last changes and problems"
    case .pause: "Pause the list, or go on"
    case .help: "Show the keys"
    case .redraw: "Draw the screen again"
    case .leave: "Leave a line, a pane or the selection"
    case .quit: "Quit"
    case .interrupt: "End at once, with exit code 130"
    case .suspend: "Suspend the program"
    }
  }

  /// The keys of the action, unless `config.yaml` gives it others.
  public var defaultKeys: [Key] {
    switch self {
    case .down: [Key("j"), Key(.down), Key(control: "n")]
    case .up: [Key("k"), Key(.up), Key(control: "p")]
    case .pageDown: [Key(.pageDown), Key(control: "f")]
    case .pageUp: [Key(.pageUp), Key(control: "b")]
    case .halfPageDown: [Key(control: "d")]
    case .halfPageUp: [Key(control: "u")]
    case .first: [Key("g"), Key(.home)]
    case .last: [Key("G"), Key(.end)]
    case .nextChange: [Key("n")]
    case .previousChange: [Key("N")]
    case .search: [Key("/")]
    case .predicate: [Key(":")]
    case .sort: [Key("o")]
    case .reverse: [Key("O")]
    case .section: [Key("s")]
    case .view: [Key("v")]
    case .accept: [Key(.enter)]
    case .edit: [Key("e")]
    case .delete: [Key("d"), Key(.delete)]
    case .undo: [Key("u")]
    case .redo: [Key("U")]
    case .add: [Key("a")]
    case .set: [Key("=")]
    case .select: [Key(" ")]
    case .copy: [Key("y")]
    case .copyPath: [Key("Y")]
    case .detail: [Key(.tab)]
    case .detailDown: [Key("J")]
    case .detailUp: [Key("K")]
    case .detailPageDown: [Key("]")]
    case .detailPageUp: [Key("[")]
    case .log: [Key("l")]
    case .pause: [Key("p")]
    case .help: [Key("?")]
    case .redraw: [Key(control: "l")]
    case .leave: [Key(.escape)]
    case .quit: [Key("q")]
    case .interrupt: [Key(control: "c")]
    case .suspend: [Key(control: "z")]
    }
  }
}

extension Key {
  init(_ character: Character) {
    self.init(.character(character))
  }

  /// Creates the key of a character with Ctrl.
  init(control character: Character) {
    self.init(.character(character), .control)
  }

  /// Creates the key of a character with Alt.
  init(alt character: Character) {
    self.init(.character(character), .alt)
  }
}
