import FuzzProperties

@_cdecl("LLVMFuzzerTestOneInput")
public func checkSettings(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  SettingsProperties.check(UnsafeRawBufferPointer(start: start, count: count))
  return 0
}
