import Foundation
import TestSupport
import Testing
import Wire

/// An RSA key of OpenSSL, whose tokens are signed with RS512.
struct RSAKey: Sendable {
    /// The JWK Set with its public part.
    let set: String
    let pem: String

    init() throws {
        pem = try Self.openssl(["genrsa", "2048"], "").text
        let modulus = try Self.openssl(["rsa", "-noout", "-modulus"], pem).text
        let digits = Array(try #require(modulus.split(separator: "=").last).utf8.dropLast())
        let bytes = stride(from: 0, to: digits.count, by: 2).compactMap {
            UInt8(String(decoding: digits[$0..<$0 + 2], as: UTF8.self), radix: 16)
        }
        set = #"{"keys":[{"kty":"RSA","kid":"k","alg":"RS512","e":"AQAB","n":"\#(Base64.encodeURL(bytes))"}]}"#
    }

    /// A JWT over these claims.
    ///
    /// - Parameters:
    ///   - id: the `kid` of its header.
    ///   - type: its `typ`, if it has one.
    func signed(_ claims: JSONObject, id: String = "k", type: String? = nil) throws -> String {
        let folder = try TemporaryDirectory()
        let file = try folder.write(pem, to: "key.pem")
        let header = #"{"alg":"RS512","kid":"\#(id)"\#(type.map { #","typ":"\#($0)""# } ?? "")}"#
        let parts = [header, JSON.object(claims).text].map { Base64.encodeURL(Array($0.utf8)) }
        let input = parts.joined(separator: ".")
        return "\(input).\(Base64.encodeURL(try Self.openssl(["dgst", "-sha512", "-sign", file], input).output))"
    }

    private static func openssl(_ arguments: [String], _ input: String) throws -> ProgramResult {
        var program = Program(path: "/usr/bin/openssl", arguments: arguments)
        program.input = .text(input)
        return try program.run().expect(status: 0)
    }
}
