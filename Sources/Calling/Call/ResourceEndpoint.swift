internal import OAuth
internal import Wire
internal import Shell
internal import Sessions

/// What a call of a resource of the document takes, as the Streamable HTTP transport of the Model Context Protocol has it:
/// JSON or a stream of events in answer to JSON, and sessions.
package struct ResourceEndpoint {
    static let sessionField = "Mcp-Session-Id"
    private static let accepted = "application/json, text/event-stream"

    private let addresses: [String]
    /// The sessions that answers have begun, by the address.
    private var sessions: [String: String] = [:]

    /// - Throws: exit 2 or 3 for resources that are no strings.
    init(_ document: Document) throws(Failure) {
        addresses = try lift(try document.strings("resource")).compactMap { WebURL($0).map(Self.address) }
    }

    /// What is accepted of a URL.
    ///
    /// - Parameters:
    ///   - type: the type of the content that is sent; nil for none.
    ///   - usual: what any other URL is asked for.
    func accepted(from url: WebURL, sending type: String?, usual: String) -> String {
        let isJSON = type.map { MediaType($0).isJSON } ?? false
        return isJSON && addresses.contains(Self.address(url)) ? Self.accepted : usual
    }

    /// The session of a URL; nil for none.
    func session(of url: WebURL) -> String? { sessions[Self.address(url)] }

    /// Notes the session that an answer has begun, or has ended with 404.
    mutating func note(_ head: HTTPResponseHead, to url: String) {
        guard let address = WebURL(url).map(Self.address), addresses.contains(address) else { return }
        if head.status == 404 { sessions[address] = nil }
        guard let id = head.headers.first(Self.sessionField), !id.isEmpty, id.utf8.count <= 1024,
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return }
        sessions[address] = id
    }

    private static func address(_ url: WebURL) -> String { url.origin + url.path }
}
