import PlainStore
import PlainText
import Sinks

/// One sink of a folder.
final class SinkService: Sendable {
  let configuration: SinkConfiguration

  init(_ configuration: SinkConfiguration) { self.configuration = configuration }

  static func start(
    _ configuration: SinkConfiguration, _ folder: OpenedFolder, _ meter: UpdateMeter, _ environment: DaemonEnvironment
  ) -> SinkService { SinkService(configuration) }

  static func stop(_ sinks: [SinkService]) async {}

  func proceed() {}

  var status: Fields { ["name": .string(configuration.name)] }
}
