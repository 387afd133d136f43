import ArgumentParser
import Daemon
import PlainStore
import Values

/// The folder, and how its files are read.
struct FolderOptions: ParsableArguments {
  @Argument(help: ArgumentHelp("The folder that holds the items.", valueName: "DIR"), completion: .directory)
  var folder: String
  @OptionGroup var reading: ReadingOptions

  /// The fields of `--id-field`, as they were typed.
  var idField: String? { reading.idField }
  /// The size of `--max-size`.
  var maxSize: ByteCount? { reading.maxSize }

  func storeOptions() throws -> StoreOptions { try reading.storeOptions() }
}

/// How the files of a folder are read.
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

/// A time span, written `250ms`, `2s`, `1.5s`, `1m`, or as a number of seconds.
struct TimeSpan: ExpressibleByArgument {
  /// A sentence for help texts.
  static let units = "TIME is 250ms, 2s, 10m, or a number of seconds."

  let duration: Duration

  init?(argument: String) {
    let units: [(suffix: String, seconds: Double)] = [("ms", 0.001), ("s", 1), ("m", 60)]
    let unit = units.first { argument.hasSuffix($0.suffix) }
    let digits = argument.dropLast(unit?.suffix.count ?? 0)
    guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(digits),
      number.isFinite, number < 1e6
    else {
      return nil
    }
    duration = .seconds(number * (unit?.seconds ?? 1))
  }
}
