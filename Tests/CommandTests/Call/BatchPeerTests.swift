import Foundation
import TestSupport
import Testing
import Wire

@Suite("Batches over TLS and HTTP/2")
struct BatchPeerTests {
    private func batch(_ lines: [String], _ options: [String], to origin: String, trusting certificate: String)
        -> Program
    {
        .oap(
            ["call", "--batch", "--api-base", origin, "--cacert", certificate] + options,
            input: .text(lines.map { $0 + "\n" }.joined()), environment: ["OAP_ACCESS_TOKEN": "at-batch-1"])
    }

    @Test("nginx gets all requests over one connection by HTTP/2, and over at most eight by HTTP/1.1")
    func connections() throws {
        let nginx = try Nginx()
        let lines = (1...500).map { #"{"url":"/\#($0)"}"# }
        for (options, most) in [([], 1), (["--http1.1"], 8)] as [([String], Int)] {
            let filter = ["--ordered", "-r", "--jq", #"[.body.connection, .body.uri] | @tsv"#]
            let result = try batch(lines, filter + options, to: nginx.origin, trusting: nginx.certificate).run()
                .expect(status: 0)
            let rows = result.text.split(separator: "\n").map { $0.split(separator: "\t") }
            #expect(rows.map { $0.last } == (1...500).map { "/\($0)"[...] })
            #expect(Set(rows.map { $0.first }).count <= most)
        }
    }

    @Test("answers that come in another order on one connection go to their lines")
    func reversed() throws {
        let peer = try HTTP2Peer(.reversed)
        let lines = (1...40).map { #"{"url":"/\#($0)"}"# }
        let options = ["--parallel", "4", "-r", "--jq", #"[.id, .body] | join(" ")"#]
        let result = try batch(lines, options, to: peer.origin, trusting: peer.certificate).run().expect(status: 0)
        let answers = result.text.split(separator: "\n").map(String.init)
        #expect(Set(answers) == Set((1...40).map { "\($0) GET /\($0)" }) && answers.count == 40)
    }

    @Test("what a connection that ends has refused is sent again if it may be repeated, and else is exit 12")
    func goAway() throws {
        let options = ["--parallel", "4", "--ordered", "--retry", "0", "-c", "--jq", "[.id, .status, .exit_status]"]
        let peer = try HTTP2Peer(.goAway)
        let lines = (1...4).map { #"{"url":"/\#($0)"}"# }
        try batch(lines, options, to: peer.origin, trusting: peer.certificate).run().expect(status: 0)
            .expect(output: "[1,200,null]\n[2,200,null]\n[3,200,null]\n[4,200,null]\n")
        let other = try HTTP2Peer(.goAway)
        let posts = (1...4).map { #"{"url":"/\#($0)","body":1}"# }
        try batch(posts, options, to: other.origin, trusting: other.certificate).run().expect(status: 12)
            .expect(output: "[1,200,null]\n[2,200,null]\n[3,null,12]\n[4,null,12]\n")
        #expect(try other.requests() == (1...4).map { "1 POST /\($0)" })
    }
}
