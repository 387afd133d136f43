import ArgumentParser

/// The exit codes of `sysexits.h` that this program uses.
extension ExitCode {
  static let usage = ExitCode(64)
  static let badData = ExitCode(65)
  static let noInput = ExitCode(66)
  static let unavailable = ExitCode(69)
  static let systemError = ExitCode(71)
  static let cannotCreate = ExitCode(73)
  static let cannotWrite = ExitCode(74)
  static let tryAgain = ExitCode(75)
  static let noPermission = ExitCode(77)
  static let badSettings = ExitCode(78)
}
