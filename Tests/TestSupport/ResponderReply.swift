import Foundation
import Testing
import Wire

extension Responder {
    /// A request as it arrived.
    package struct Request: Sendable {
        /// Which connection it came by, counted from 1.
        package var connection: Int
        /// The request line and the header, with the empty line, to the byte.
        package var head: String
        /// The method.
        package var method: String
        /// The request target: path and query.
        package var target: String
        /// The header fields.
        package var headers: [HTTPField]
        /// The content, of which a megabyte at most is kept, without chunk framing.
        package var body: [UInt8]
        /// How many bytes of content came.
        package var bodySize: Int

        /// The content as text.
        package var bodyText: String { String(decoding: body, as: UTF8.self) }
    }

    /// Opens once, for a reply that waits for the test, or a test that waits for a reply.
    package final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)

        /// Makes a closed gate.
        package init() {}

        /// Lets the replies go on.
        package func open() { semaphore.signal() }

        /// Waits until it is open; false when that takes longer than anything but a hang does.
        @discardableResult
        package func wait() -> Bool {
            guard semaphore.wait(timeout: .now() + .seconds(60)) == .success else { return false }
            semaphore.signal()
            return true
        }
    }

    /// What to do about a request, step by step.
    package struct Reply: Sendable {
        enum Step: Sendable {
            case bytes([UInt8])
            /// Left out in the answer to HEAD.
            case content([UInt8])
            case wait(Gate)
            case open(Gate)
            case endless([UInt8])
            case close
            case reset
        }

        var steps: [Step]
    }
}

extension Responder.Reply {
    /// A response with a `Content-Length`.
    package static func content(
        _ content: [UInt8], status: Int = 200, type: String = "text/plain", headers: [String] = []
    ) -> Self {
        let fields = headers + (status == 204 || status == 304 ? [] : ["Content-Length: \(content.count)"])
        return Self(steps: [head(status, fields + ["Content-Type: \(type)"]), .content(content)])
    }

    /// A text response with a `Content-Length`.
    package static func text(_ text: String, status: Int = 200, headers: [String] = []) -> Self {
        content(Array(text.utf8), status: status, headers: headers)
    }

    /// A JSON response with a `Content-Length`.
    package static func json(_ text: String, status: Int = 200, headers: [String] = []) -> Self {
        content(Array(text.utf8), status: status, type: "application/json", headers: headers)
    }

    /// A redirect without content.
    package static func redirect(_ status: Int, to location: String) -> Self {
        content([], status: status, headers: ["Location: \(location)"])
    }

    /// A response in chunks, one for each text.
    package static func chunked(_ chunks: [String], status: Int = 200, headers: [String] = []) -> Self {
        let body = chunks.map { String($0.utf8.count, radix: 16) + "\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
        return Self(steps: [head(status, headers + ["Transfer-Encoding: chunked"]), .content(Array(body.utf8))])
    }

    /// A response compressed by gzip.
    package static func gzip(_ content: [UInt8], type: String = "text/plain") throws -> Self {
        .content(try gzipped(content), type: type, headers: ["Content-Encoding: gzip"])
    }

    /// Bytes as they stand; the connection stays open.
    package static func raw(_ text: String) -> Self { raw(Array(text.utf8)) }

    /// Bytes that need not be text, likewise.
    package static func raw(_ bytes: [UInt8]) -> Self { Self(steps: [.bytes(bytes)]) }

    /// A response that promises `promised` bytes, sends the text and closes.
    package static func truncated(_ text: String, promised: Int) -> Self {
        Self(steps: [head(200, ["Content-Length: \(promised)"]), .content(Array(text.utf8)), .close])
    }

    /// A response without a length that goes on until the client leaves.
    package static func endless(_ piece: String = String(repeating: "x", count: 4096)) -> Self {
        Self(steps: [head(200, []), .endless(Array(piece.utf8))])
    }

    /// The piece again and again, until the client leaves.
    package static func repeating(_ piece: String) -> Self { Self(steps: [.endless(Array(piece.utf8))]) }

    /// Closes without a byte.
    package static var close: Self { Self(steps: [.close]) }

    /// Breaks the connection (RST) without a byte.
    package static var reset: Self { Self(steps: [.reset]) }

    /// This reply, then another's steps.
    package func then(_ next: Self) -> Self { Self(steps: steps + next.steps) }

    /// This reply, when the gate is open.
    package func after(_ gate: Responder.Gate) -> Self { Self(steps: [.wait(gate)] + steps) }

    /// This reply, and the gate opened when it is sent.
    package func opening(_ gate: Responder.Gate) -> Self { Self(steps: steps + [.open(gate)]) }

    private static func head(_ status: Int, _ fields: [String]) -> Step {
        .bytes(Array((["HTTP/1.1 \(status) Status"] + fields + ["", ""]).joined(separator: "\r\n").utf8))
    }

    private static func gzipped(_ content: [UInt8]) throws -> [UInt8] {
        var gzip = Program(path: "/bin/gzip", arguments: ["-c"])
        gzip.input = .bytes(content)
        return try gzip.run().expect(status: 0).output
    }
}
