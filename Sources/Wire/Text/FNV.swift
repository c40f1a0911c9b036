/// The FNV-1a hash of bytes, for tables and checksums: it is quick, and who chooses the bytes can find two of one hash.
///
/// Public and inlinable, since generic code of another module is not specialised otherwise.
@inlinable
public func fnv1a(_ bytes: some Sequence<UInt8>, from start: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
    bytes.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}
