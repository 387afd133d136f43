import ArgumentParser
import Glibc
import PlainStore
import PlainText
import Sinks

/// A folder that is open, and the list that the options ask for.
struct Session {
  let store: ItemStore
  let results: FetchedResults
  /// The view as it was at the start, for the `hello` of a stream.
  let view: ViewDefinition
  let meter = UpdateMeter()

  init(_ folder: FolderOptions, _ options: ViewOptions, watching: Bool, watch: WatchSettings? = nil) throws {
    var storeOptions = try folder.storeOptions()
    if let watch {
      storeOptions.watch = watch.options
      storeOptions.auditInterval = watch.auditInterval
    }
    store = try Session.open(folder.folder, watching: watching, storeOptions)
    let resolve = options.resolver(try options.definition())
    do throws(SettingsError) {
      view = try resolve(store.settings)
      results = try store.results { settings throws(SettingsError) in try resolve(settings).request }
    } catch {
      let problem = store.problems.first { $0.path == PathRules.settingsPath && $0.message == error.description }
      guard let problem else { throw Failure.exit(.badSettings, error.keys.count > 2 ? error.description : error.message) }
      StandardError.writeLine(FolderName(folder.folder).description(of: problem))
      throw ExitCode.badSettings
    }
    // They live as long as the process, which ends faster than a large list is taken apart.
    _ = Unmanaged.passRetained(results)
    _ = Unmanaged.passRetained(store)
  }

  static func open(_ folder: String, watching: Bool, _ options: StoreOptions) throws -> ItemStore {
    do throws(StoreError) {
      return try ItemStore(at: folder, watching: watching, options: options)
    } catch {
      throw Failure.exit(error)
    }
  }

  /// Does what signals ask for (SIGHUP a look at everything, SIGUSR1 a line about ourselves) until one comes that ends the program.
  ///
  /// - Parameter hadTerminal: whether there was a terminal when the program began; where it has been closed a hang-up is the end.
  func serve(_ signals: AsyncStream<CInt>, hadTerminal: Bool) async -> CInt? {
    for await signal in signals {
      switch signal {
      case SIGHUP where !hadTerminal || StandardStreams.haveTerminal: store.lookAgain()
      case SIGUSR1: StandardError.write(meter.line(store.counters))
      default: return signal
      }
    }
    return nil
  }

  /// What a predicate could not decide in time, once.
  func hintAtPredicate() {
    if let hint = results.request.predicate?.takeHint() { StandardError.write("notes-watch: hint: \(hint)") }
  }

  /// A field that nothing has is no error, since it may come; but it is most often a slip.
  func hintAtUnknownFields() {
    for path in results.snapshot.unknownFields {
      StandardError.write("notes-watch: hint: no item has the field `\(path)`.")
    }
  }
}
