import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkPredicate(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  PredicateProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
