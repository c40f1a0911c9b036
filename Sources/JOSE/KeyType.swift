/// The types of key, `kty` (RFC 7518 §6.1, RFC 8037 §2).
package enum KeyType: String, Sendable, WireName {
    case rsa = "RSA"
    case ec = "EC"
    case okp = "OKP"
    case oct
}
