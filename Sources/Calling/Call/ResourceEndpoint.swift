internal import OAuth
package import Wire
internal import Shell
internal import Sessions

/// What a call of a resource of the document takes, as the Streamable HTTP transport of the Model Context Protocol has it:
/// JSON or a stream of events in answer to JSON, sessions (until 2025-11-25), and fields that repeat the message (from
/// 2026-07-28).
package struct ResourceEndpoint {
    static let sessionField = "Mcp-Session-Id"
    private static let accepted = "application/json, text/event-stream"

    private let addresses: [String]
    /// The sessions that answers have begun, by the address.
    private var sessions: [String: String] = [:]

    /// - Throws: exit 2 or 3 for resources that are no strings.
    init(_ document: Document) throws(Failure) {
        addresses = try asFailure(document.strings("resource")).compactMap { WebURL($0).map(Self.address) }
    }

    /// Adds the fields that a request to a URL has by default: what is accepted, and to a resource the session, and what the
    /// body says of itself (MCP 2026-07-28, Streamable HTTP, Request Metadata).
    ///
    /// - Parameters:
    ///   - type: the type of the content that is sent; nil for none.
    ///   - body: the content, if it is at hand.
    ///   - usual: what any other URL is asked for.
    func addDefaults(
        to headers: inout CallHeaders, for url: WebURL, sending type: String?, _ body: [UInt8]?, usual: String
    ) {
        let isMessage = type.map { MediaType($0).isJSON } ?? false && addresses.contains(Self.address(url))
        headers.addDefault("Accept", isMessage ? Self.accepted : usual)
        if let session = sessions[Self.address(url)] { headers.addDefault(Self.sessionField, session) }
        guard isMessage, let message = body.flatMap({ try? JSON(parsing: $0) })?.object,
            let params = message["params"]?.object, let meta = params["_meta"]?.object,
            let version = meta["io.modelcontextprotocol/protocolVersion"]?.string,
            let method = message["method"]?.string, [version, method].allSatisfy(\.isPlainWord)
        else { return }
        headers.addDefault("MCP-Protocol-Version", version)
        headers.addDefault("Mcp-Method", method)
        let named = ["tools/call": "name", "prompts/get": "name", "resources/read": "uri"][method]
        if let name = named.flatMap({ params[$0]?.string }) { headers.addDefault("Mcp-Name", Self.field(of: name)) }
    }

    /// A text as the value of a field: in Base64 where a field would not keep it, or might be taken for that.
    private static func field(of text: String) -> String {
        let isKept = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } && !text.hasPrefix(" ") && !text.hasSuffix(" ")
        let isPlain = isKept && !text.isEmpty && !(text.hasPrefix("=?base64?") && text.hasSuffix("?="))
        return isPlain ? text : "=?base64?\(Base64.encode(Array(text.utf8)))?="
    }

    /// Notes the session that an answer has begun, or has ended with 404.
    package mutating func note(_ head: HTTPResponseHead, to url: String) {
        guard let address = WebURL(url).map(Self.address), addresses.contains(address) else { return }
        if head.status == 404 { sessions[address] = nil }
        guard let id = head.headers.first(Self.sessionField), !id.isEmpty, id.utf8.count <= 1024,
            id.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return }
        sessions[address] = id
    }

    private static func address(_ url: WebURL) -> String { url.origin + url.path }
}
