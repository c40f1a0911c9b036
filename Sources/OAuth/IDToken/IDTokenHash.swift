internal import JOSE
internal import Wire

extension SignatureAlgorithm {
    /// What `at_hash`, `c_hash` and `s_hash` hold of a value, under the ID token's algorithm: the left half of its
    /// digest in Base64url (OpenID Connect Core §3.1.3.6, §3.3.2.11).
    func halfHash(of value: String) -> String {
        let hash = digest(Array(value.utf8))
        return Base64.encodeURL(hash.prefix(hash.count / 2))
    }
}
