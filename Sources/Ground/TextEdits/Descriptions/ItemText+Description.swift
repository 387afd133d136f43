extension ItemText: CustomStringConvertible {
  /// The format and the size: `yaml, 42 bytes`.
  public var description: String { "\(format), \(bytes.count) bytes" }
}
