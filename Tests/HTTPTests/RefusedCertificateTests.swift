import TestSupport
import Testing
import Wire

@testable import HTTP

@Suite("A server that refuses the client's certificate")
struct RefusedCertificateTests {
    /// What is said of it; nil for another failure.
    private func refusal(_ url: String, _ options: TransportOptions) throws -> String? {
        let client = try HTTPClient(options: options)
        let error = #expect(throws: HTTPError.self) {
            try client.send(HTTPRequest(method: "GET", url: url), maximumBody: 100)
        }
        guard case .certificate(.client, let message) = error else { return nil }
        return message
    }

    @Test(
        "a server that wants a certificate, or another one, is not a failure of the connection",
        arguments: [TLSPeer.Mode.demanding, .demandingEarlier])
    func refused(mode: TLSPeer.Mode) throws {
        let (peer, other) = (try TLSPeer(mode), try TLSPeer())
        let client = try HTTPClient(options: peer.showingCertificate)
        let answer = try client.send(HTTPRequest(method: "GET", url: peer.url()), maximumBody: 100_000)
        #expect(answer.head.status == 200)
        // Before TLS 1.3 there is no alert that says so.
        if mode == .demanding {
            #expect(
                try refusal(peer.url(), peer.trusting)
                    == "127.0.0.1 port \(peer.port) wants a client certificate: certificate required")
        }
        var options = peer.trusting
        (options.route.certificateFile, options.route.keyFile) = (other.path("client.pem"), other.path("client.key"))
        let message = try #require(try refusal(peer.url(), options))
        #expect(message.hasPrefix("127.0.0.1 port \(peer.port) refuses the client certificate: "))
        #expect(!message.contains("SSL"))
    }
}
