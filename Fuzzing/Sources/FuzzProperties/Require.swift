/// Stops the program with a message if a rule is broken, also in release builds. The fuzzer reports
/// the input.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
  if !condition { fatalError(rule()) }
}
