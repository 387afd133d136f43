extension Array {
  /// Returns the address of an element, which is valid as long as the array exists and is not
  /// changed.
  ///
  /// Reading a part of an element through it counts no references. A subscript would retain the
  /// arrays in the element, which costs more than the read.
  @inlinable
  func address(of index: Int) -> UnsafePointer<Element> {
    withUnsafeBufferPointer { elements in
      guard elements.indices.contains(index), let first = elements.baseAddress else {
        preconditionFailure("The index \(index) is out of range.")
      }
      return first + index
    }
  }
}
