import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Redirects of call, as a process")
struct CallRedirectTests {
    private func call(_ options: [String], _ responder: Responder) throws -> ProgramResult {
        try Program.oap(["call", "/x"] + options, input: responder.token.input).run()
    }

    @Test("redirects of oap call that lead to another origin show no client certificate there")
    func certificate() throws {
        let peer = try TLSPeer()
        let first = try Responder(.redirect(302, to: peer.url()))
        let options = [
            "--cacert", peer.path("ca.pem"), "--cert", peer.path("client.pem"), "--key", peer.path("client.key"),
            "-q", ".client",
        ]
        try call(options, first).expect(status: 0).expect(output: "null\n")
        try Program.oap(["call", "-n", peer.url()] + options, environment: ["OAP_ACCESS_TOKEN": "t"]).run()
            .expect(status: 0).expect(output: "\"the client\"\n")
    }
}
