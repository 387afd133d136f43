/// Stops the program, which is how the fuzzer is told; unlike `precondition` it says why in a release build too.
func require(_ condition: Bool, _ rule: @autoclosure () -> String) {
  if !condition { fatalError(rule()) }
}
