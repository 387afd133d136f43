/// The words that `browse --linear` understands.
enum LinearVerb: String, CaseIterable, Sendable {
  case help, list, next, back, show
  case search, `where`, sort, reverse, section, view
  case edit, set, delete, add, undo, redo
  case select, unselect, choose, copy
  case log, problems, pause, resume, quit

  /// The command with its arguments, as `help` and the documentation show it.
  var usage: String {
    switch self {
    case .help: "help [WORD]"
    case .list: "list [COUNT|all]"
    case .next: "next [COUNT]"
    case .back: "back [COUNT]"
    case .show: "show NUMBERS, or only a number"
    case .search: "search [TEXT], or /TEXT"
    case .where: "where [PREDICATE], or :PREDICATE"
    case .sort: "sort [FIELDS]"
    case .section: "section [FIELD]"
    case .view: "view [NAME]"
    case .edit: "edit NUMBERS"
    case .set: "set NUMBERS FIELD=VALUE..."
    case .delete: "delete NUMBERS"
    case .add: "add ID [FIELD=VALUE...]"
    case .select: "select NUMBERS"
    case .unselect: "unselect [NUMBERS]"
    case .choose: "choose [NUMBERS]"
    case .copy: "copy NUMBER [path]"
    case .log: "log [COUNT]"
    case .reverse, .undo, .redo, .problems, .pause, .resume, .quit: rawValue
    }
  }

  /// What the command does, in one sentence.
  var summary: String {
    switch self {
    case .help: "Lists the commands, or describes one."
    case .list: "Prints the list as it is now, and numbers it again."
    case .next: "Prints the next items of the printed list."
    case .back: "Prints the items before those that were printed last."
    case .show: "Prints the file of an item, and its problems."
    case .search: "Shows only items that contain every word; without a text, all."
    case .where: "Shows only items that match a predicate; without one, those of the view."
    case .sort: "Sorts by these fields, such as -rating,name; without fields, as the view does."
    case .reverse: "Reverses the order."
    case .section: "Divides the list by a field; without one, it has no sections."
    case .view: "Shows a named view of the folder; without a name, all items."
    case .edit: "Opens items in your editor, one after the other."
    case .set: "Sets fields of items. Quote values with blanks: name='Ada Lovelace'."
    case .delete: "Deletes the files of items, after a question."
    case .add: "Adds an item with these fields."
    case .undo: "Undoes the last edit, deletion or addition of this run."
    case .redo: "Redoes what was undone last, unless something else was changed since."
    case .select: "Selects items. Commands accept the word selected in place of numbers."
    case .unselect: "Removes items from the selection; without numbers, all."
    case .choose: "Prints items as --print asks for and ends; without numbers, those that are selected."
    case .copy: "Sends the id or the path of an item to the clipboard of the terminal."
    case .log: "Prints the last changes again."
    case .problems: "Prints the problems of files."
    case .pause: "Stops printing changes."
    case .resume: "Prints the changes since pause, and then new ones."
    case .quit: "Ends the program."
    }
  }
}
