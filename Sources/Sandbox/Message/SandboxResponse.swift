package import Wire

/// A response of the sandbox, and how to send it.
package struct SandboxResponse: Sendable, Equatable {
    package var status: Int
    /// The header fields besides those of the transport.
    package var headers: [HTTPField]
    package var content: Content
    /// The seconds to wait before anything is sent.
    package var delay = 0.0

    package enum Content: Sendable, Equatable {
        case bytes([UInt8])
        case filler(Filler)
        /// These bytes, then the end of the connection, though the announced length is larger.
        case truncated([UInt8], announced: Int)
        /// No response at all: the connection is reset.
        case reset
    }

    /// Bytes of the repeated `pattern`, and how they are sent.
    package struct Filler: Sendable, Equatable {
        package var count: Int
        /// Whether no length is announced.
        package var isChunked = false
        /// How long it takes to send them, in equal parts.
        package var seconds = 0.0
        /// After how many bytes the connection is reset; nil for never.
        package var reset: Int?
        /// A field behind the chunks.
        package var trailer: HTTPField?

        package init(count: Int) { self.count = count }
    }

    package static let pattern = Array("0123456789abcdef".utf8)

    /// Makes a response with `Cache-Control: no-store`.
    init(status: Int, type: String? = nil, headers: [HTTPField] = [], content: Content = .bytes([])) {
        self.status = status
        self.headers = [HTTPField("Cache-Control", "no-store"), HTTPField("Pragma", "no-cache")]
        if let type { self.headers.append(HTTPField("Content-Type", type)) }
        self.headers += headers
        self.content = content
    }

    init(status: Int = 200, json: JSON, headers: [HTTPField] = []) {
        self.init(status: status, type: "application/json", headers: headers, content: .bytes(json.bytes))
    }

    init(status: Int = 200, members: JSONObject, headers: [HTTPField] = []) {
        self.init(status: status, json: .object(members), headers: headers)
    }

    /// Makes a redirect, which browsers follow with GET after any method (RFC 9700 §4.12).
    init(redirectingTo location: String) { self.init(status: 303, headers: [HTTPField("Location", location)]) }
}
