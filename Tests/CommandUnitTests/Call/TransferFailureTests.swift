import OAuth
import Testing
import Wire

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("What a failed transfer is answered with")
struct TransferFailureTests {
    @Test(
        "a certificate of another time or host is not mended by another authority",
        arguments: [
            (.time, "if the clock of this machine is right, the server needs a new certificate"),
            (.host, "the host name in the URL must be one that the certificate names"),
            (.client, CertificateRefusal.remedy),
            (.authority, "to trust a certificate authority of your own, use --cacert FILE"),
        ] as [(HTTPError.CertificateFault, String)])
    func certificate(fault: HTTPError.CertificateFault, hint: String) {
        let failure = Failure(HTTPError.certificate(fault, message: "certificate of host x"), stake: .repeatable)
        #expect(failure.exit == .insecure && failure.hint == hint)
    }

    @Test(
        "a system without trusted certificates gets the package that brings them",
        arguments: [
            (HTTPError.certificatesOfSystem, true), ("/etc/ssl/certs/ca-certificates.crt", true), ("my.pem", false),
        ])
    func authorities(path: String, isOfSystem: Bool) {
        let failure = Failure(HTTPError.file(path: path, message: "no such file"), stake: .repeatable)
        let hint = "install the package ca-certificates, or name a file with --cacert"
        #expect(failure.hint == (isOfSystem ? hint : nil))
        #expect(failure.exit == .fileFailed)
    }
}
