internal import CLibCrypto

/// A part of a key, by libcrypto's name.
enum KeyPart {
    /// An unsigned number, the most significant byte first.
    case number(String, [UInt8])
    case octets(String, [UInt8])
    case text(String, String)

    /// A key pair of these parts, or a public key; nil if libcrypto takes them for none. The caller frees it.
    static func key(_ type: String, _ parts: [KeyPart]) -> OpaquePointer? {
        var made: [oap_key_part] = []
        return key(type, parts[...], &made)
    }

    /// The pointers are valid inside of the calls alone.
    private static func key(
        _ type: String, _ parts: ArraySlice<KeyPart>, _ made: inout [oap_key_part]
    ) -> OpaquePointer? {
        guard let part = parts.first else { return oap_key_from_parts(type, made, made.count) }
        let (name, kind, bytes) = part.values
        return name.withCString { name in
            bytes.withUnsafeBufferPointer { buffer in
                made.append(oap_key_part(name: name, kind: kind, bytes: buffer.baseAddress, length: buffer.count))
                return key(type, parts.dropFirst(), &made)
            }
        }
    }

    /// A number of a key, of so many bytes.
    static func number(_ name: String, of key: OpaquePointer, length: Int) throws(JOSEError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: length)
        guard oap_key_number(key, name, &bytes, length) == 1 else { throw missing }
        return bytes
    }

    static func octets(_ name: String, of key: OpaquePointer, count: Int) throws(JOSEError) -> [UInt8] {
        var (bytes, length) = ([UInt8](repeating: 0, count: count), 0)
        guard oap_key_bytes(key, name, &bytes, count, &length) == 1, length == count else { throw missing }
        return bytes
    }

    private static let missing = JOSEError.library("libcrypto does not give the parts of a key")

    private var values: (String, oap_key_part_kind, [UInt8]) {
        switch self {
        case .number(let name, let bytes): (name, OAP_NUMBER, bytes)
        case .octets(let name, let bytes): (name, OAP_OCTETS, bytes)
        case .text(let name, let text): (name, OAP_TEXT, Array(text.utf8))
        }
    }
}
