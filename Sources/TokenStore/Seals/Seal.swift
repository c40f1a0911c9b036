internal import JOSE
internal import Wire

/// The seal of stored tokens: the bytes of each become a JSON Web Encryption (RFC 7516) with one key, which has the name
/// of the token and that of the store in its protected header, so that no token can be put in the place of another.
/// Without a key, bytes stay as they are.
struct Seal {
    let key: SymmetricKey?
    /// A further key that opens what is sealed with it (`oap store reseal`).
    var older: SymmetricKey?
    /// See ``StoreAddress/place``.
    let place: String

    private static let (nameMember, placeMember) = ("oap_name", "oap_store")

    /// The bytes to store for the bytes of a token.
    ///
    /// - Throws: `unsealable`.
    func sealing(_ bytes: [UInt8], _ name: TokenName) throws(StoreError) -> [UInt8] {
        guard let key else { return bytes }
        do throws(JOSEError) {
            let header: JSONObject = [
                "cty": .string("json"), Self.nameMember: .string(name.text), Self.placeMember: .string(place),
            ]
            return Array(try key.encrypt(bytes, header: header).utf8)
        } catch {
            throw .unsealable(error.description)
        }
    }

    /// The most bytes to store for so many bytes of a token.
    func size(of count: Int) -> Int { key == nil ? count : count * 2 }

    /// The bytes of a token, from the stored bytes.
    ///
    /// - Throws: `sealed`, `unsealed`, `unopened`.
    func opening(_ bytes: [UInt8], _ name: TokenName) throws(StoreError) -> [UInt8] {
        // A header is a JSON object in base64url: `{` begins `e`, and no JSON begins so.
        let isSealed = bytes.first == UInt8(ascii: "e")
        guard let key else {
            guard !isSealed else { throw .sealed(name.text) }
            return bytes
        }
        guard isSealed || bytes.isEmpty else { throw .unsealed(name.text) }
        let (header, content): (JSONObject, [UInt8])
        do throws(JOSEError) {
            let text = String(decoding: bytes.last == 0x0A ? bytes.dropLast() : bytes[...], as: UTF8.self)
            do throws(JOSEError) {
                (header, content) = try key.decrypt(text)
            } catch {
                guard let older, error == .decryption else { throw error }
                (header, content) = try older.decrypt(text)
            }
        } catch {
            throw .unopened(name.text, reason: error.ofSeal)
        }
        guard header[Self.nameMember]?.string?.isIdentical(to: name.text) == true else {
            throw .unopened(name.text, reason: "it was sealed for another name")
        }
        // Earlier versions, and users with a program of their own, name no store.
        guard header[Self.placeMember].map({ $0.string?.isIdentical(to: place) == true }) ?? true else {
            throw .unopened(name.text, reason: "it was sealed for another store")
        }
        return content
    }
}

extension JOSEError {
    /// Why a seal is not opened: lower case, no full stop.
    fileprivate var ofSeal: String {
        switch self {
        case .malformed(let reason): "not a JWE: \(reason)"
        case .header(let name): "\(name) in the JWE header is not supported"
        case .decryption: "it was encrypted with another key, or changed afterwards"
        default: description
        }
    }
}
