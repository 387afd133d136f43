import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkLike(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  LikeProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
