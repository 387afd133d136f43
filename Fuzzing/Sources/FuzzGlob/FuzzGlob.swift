import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkGlob(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  GlobProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
