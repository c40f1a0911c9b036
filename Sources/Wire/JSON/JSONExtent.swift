/// The number of values in a JSON text, counted in one pass over its bytes, without parsing. For invalid JSON the
/// counts mean nothing; the parser refuses it later.
package struct JSONExtent: Sendable, Equatable {
    /// Values of every kind; one too many for each empty array or object.
    package private(set) var values = 1
    /// Arrays among them.
    package private(set) var arrays = 0
    /// Objects among them.
    package private(set) var objects = 0

    package init(of bytes: [UInt8]) {
        var index = 0
        bytes.withUnsafeBufferPointer { bytes in
            while index < bytes.count {
                switch bytes[index] {
                case UInt8(ascii: "\""):
                    index += 1
                    while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                        index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
                    }
                case UInt8(ascii: ","): values += 1
                case UInt8(ascii: "["):
                    arrays += 1
                    values += 1
                case UInt8(ascii: "{"):
                    objects += 1
                    values += 1
                default: break
                }
                index += 1
            }
        }
    }
}
