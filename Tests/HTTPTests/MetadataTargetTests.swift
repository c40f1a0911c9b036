import Errands
import Wire
import Testing

@testable import HTTP

@Suite("The way to a metadata service")
struct MetadataTargetTests {
    private static let names = [
        "169.254.169.254", "metadata.google.internal", "169.254.170.2", "169.254.170.23", "[fd00:ec2::254]",
        "[fd00:ec2::23]",
    ]

    @Test("plain http goes to the hosts of metadata services for their requests alone", arguments: names)
    func hosts(host: String) throws {
        let url = "http://\(host)/x"
        #expect(throws: HTTPError.self) { try RequestTarget(url) }
        #expect(try RequestTarget(url, reachesMetadata: true).port == 80)
        #expect(try RequestTarget("http://127.0.0.1:8/x", reachesMetadata: true).port == 8)
    }

    @Test("no other host is one", arguments: ["169.254.169.253", "metadata", "x.metadata.google.internal", "10.0.0.1"])
    func others(host: String) {
        #expect(throws: HTTPError.self) { try RequestTarget("http://\(host)/", reachesMetadata: true) }
    }

    @Test("no proxy of a variable is between, and what is not near is not there")
    func near() {
        var options = TransportOptions { ["https_proxy": "http://proxy:1", "CURL_CA_BUNDLE": "/x"][$0] }
        options.reachMetadata()
        #expect(options.route == Route())
        #expect(options.reachesMetadata)
        #expect(options.connectTimeout <= 1)
        #expect(options.maximumTime ?? .infinity <= 5)
    }
}
