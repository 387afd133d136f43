import ArgumentParser
import Daemon
import Scripts
import Store

struct FolderOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String
  @OptionGroup var reading: ReadingOptions

  func storeOptions(_ cache: CacheOptions? = nil, _ watching: WatchSettings? = nil) throws -> StoreOptions {
    var options = try reading.storeOptions()
    options.openCache = cache?.open
    if let watching {
      options.watch = watching.options
      options.auditInterval = watching.auditInterval
    }
    return options
  }
}

struct ReadingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Make the id of an item of these fields, so that a renamed file stays the same item. The default \
      id is the file's path.
      """,
      valueName: "FIELD[,FIELD]"))
  var idField: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Report larger files as problems: a number of bytes, or 64K, 16M, 1G; the default is 16M.",
      valueName: "SIZE"))
  var maxSize: ByteCount?

  func storeOptions() throws -> StoreOptions {
    var options = StoreOptions()
    if let maxSize { options.limits = ReadLimits(maxSize: maxSize.bytes) }
    do throws(SettingsError) {
      options.idFields = try idField.map { text throws(SettingsError) in try ViewDefinition.idFields(text) }
    } catch {
      throw ValidationError("--\(error)")
    }
    return options
  }

  func validate() throws {
    if let idField { try ViewOptions.checkNamesField(idField, in: "id-field") }
    _ = try storeOptions()
  }
}

extension ByteCount: ExpressibleByArgument {}
extension TimeSpan: ExpressibleByArgument {}
