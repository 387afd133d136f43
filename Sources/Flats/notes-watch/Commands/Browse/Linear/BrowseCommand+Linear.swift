import Browse
import Glibc

extension BrowseCommand {
  /// Runs the linear form, and returns how the person ended it.
  ///
  /// With `--print`, standard output belongs to the chosen items, so everything else is printed on
  /// standard error.
  func listen(_ feed: BrowseFeed, _ events: [ScreenEvent], _ editing: ScreenEditing, _ texts: EditedTexts) async throws -> BrowseEnd {
    var options = LinearBrowser.Options(folder: folder.folder)
    options.isFilter = choosing.form != nil
    options.isMulti = choosing.multi
    var loop = LinearLoop(feed, options, output: options.isFilter ? STDERR_FILENO : STDOUT_FILENO, editing, texts)
    let end = Result { try loop.run(beginningWith: events) }
    try await finishActions(of: feed)
    return try end.get()
  }
}
