/// What a watch's thread knows of git when it has read all events: by this others can tell whether git began something since, without asking it.
struct GitQuiet: Sendable {
  let folder: GitFolder
  /// Of the folder, before the events were read.
  let stamp: FileStamp?
  let isBusy: Bool

  /// Whether there is nothing of git that the thread does not know of, and nothing that it knows of.
  var holds: Bool { !isBusy && stamp != nil && folder.stamp == stamp }
}
