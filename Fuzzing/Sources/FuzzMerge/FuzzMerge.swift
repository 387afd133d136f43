import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkMerge(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  MergeProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
