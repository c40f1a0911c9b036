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

    private var values: (String, oap_key_part_kind, [UInt8]) {
        switch self {
        case .number(let name, let bytes): (name, OAP_NUMBER, bytes)
        case .octets(let name, let bytes): (name, OAP_OCTETS, bytes)
        case .text(let name, let text): (name, OAP_TEXT, Array(text.utf8))
        }
    }
}
