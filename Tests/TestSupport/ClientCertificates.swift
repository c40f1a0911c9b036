import Foundation
import Testing

/// Certificates of clients, which openssl makes, and their authority.
package final class ClientCertificates: Sendable {
    /// Where they are: `NAME.pem` and `NAME.key`.
    package let folder: TemporaryDirectory

    /// Makes the authority `ca`.
    package init() throws {
        folder = try TemporaryDirectory()
        try make("ca", subject: "/CN=Test CA")
    }

    /// The path of the certificate of this name; with the ending `key`, that of its key.
    package func path(_ name: String, _ ending: String = "pem") -> String { folder.path("\(name).\(ending)") }

    /// Makes a key and a certificate for it.
    ///
    /// - Parameters:
    ///   - subject: as openssl writes it, `/O=Example/CN=client`.
    ///   - issuer: the name of the certificate that issues it; nil for one that is self-signed.
    ///   - address: the IP address of a server that it is for.
    package func make(_ name: String, subject: String, issuer: String? = nil, address: String? = nil) throws {
        var signed = ["-addext", "basicConstraints=critical,CA:false"]
        if let address { signed += ["-addext", "subjectAltName=IP:\(address)"] }
        let issued = issuer.map { ["-CA", path($0), "-CAkey", path($0, "key")] + signed } ?? []
        try openssl(
            ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"]
                + ["-subj", subject, "-keyout", path(name, "key"), "-out", path(name)] + issued)
    }

    /// The options of `oap` that name a certificate and its key.
    package func options(_ name: String) -> [String] { ["--cert", path(name), "--key", path(name, "key")] }

    /// The text of a certificate.
    package func text(_ name: String) throws -> String { try folder.read("\(name).pem") }

    /// The SHA-256 digest of a certificate in hexadecimal digits, as openssl computes it of its text.
    package static func digest(of text: String) throws -> String {
        var program = Program(
            path: "/usr/bin/openssl", arguments: ["x509", "-noout", "-fingerprint", "-sha256"])
        program.input = .text(text)
        let line = try program.run().expect(status: 0).text
        return String(try #require(line.split(separator: "=").last)).filter(\.isHexDigit)
    }

    @discardableResult
    private func openssl(_ arguments: [String]) throws -> ProgramResult {
        try Program(path: "/usr/bin/openssl", arguments: arguments).run().expect(status: 0)
    }
}
