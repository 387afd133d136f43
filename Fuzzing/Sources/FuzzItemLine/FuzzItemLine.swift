import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkItemLine(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  ItemLineProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
