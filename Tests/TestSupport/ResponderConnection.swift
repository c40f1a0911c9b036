import Foundation
import Wire

/// One connection of a responder: reads requests, carries replies out.
struct ResponderConnection {
    private let socket: Int32
    private let number: Int
    /// What was received and not yet read.
    private var buffer: ArraySlice<UInt8> = []
    private static let keptContent = 1 << 20

    init(socket: Int32, number: Int) {
        self.socket = socket
        self.number = number
    }

    /// The next request, or nil when the client has gone or speaks something else.
    mutating func readRequest() -> Responder.Request? {
        var head: [UInt8] = []
        while !head.ends(with: [0x0D, 0x0A, 0x0D, 0x0A]) {
            guard let byte = readByte() else { return nil }
            head.append(byte)
            // The first byte of TLS is no letter. Servers on plain http call that a bad request.
            guard head[0] >= 0x20 else {
                _ = send(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
                return nil
            }
        }
        let text = String(decoding: head, as: UTF8.self)
        let lines = text.components(separatedBy: "\r\n").dropLast(2)
        let words = (lines.first ?? "").split(separator: " ")
        guard words.count == 3 else { return nil }
        let headers = lines.dropFirst().map { line in
            let sides = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            return HTTPField(
                String(sides[0]), sides.count > 1 ? sides[1].trimmingCharacters(in: .whitespaces) : "")
        }
        var request = Responder.Request(
            connection: number, head: text, method: String(words[0]), target: String(words[1]), headers: headers,
            body: [], bodySize: 0)
        return readContent(of: &request) ? request : nil
    }

    /// Carries a reply out; false when the connection is over.
    func write(_ reply: Responder.Reply, to request: Responder.Request) -> Bool {
        for step in reply.steps {
            switch step {
            case .bytes(let bytes): guard send(bytes) else { return false }
            case .content(let bytes): guard request.method == "HEAD" || send(bytes) else { return false }
            case .wait(let gate): gate.wait()
            case .open(let gate): gate.open()
            case .endless(let piece): while send(piece) {}
            case .close: return false
            case .reset:
                var linger = linger(l_onoff: 1, l_linger: 0)
                setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
                return false
            }
        }
        return true
    }

    private mutating func readContent(of request: inout Responder.Request) -> Bool {
        if request.headers.first("Transfer-Encoding") == "chunked" {
            while let line = readLine(), let size = Int(line, radix: 16) {
                guard take(size, into: &request), readLine() != nil else { return false }
                if size == 0 { return true }
            }
            return false
        }
        return take(Int(request.headers.first("Content-Length") ?? "0") ?? 0, into: &request)
    }

    private mutating func take(_ count: Int, into request: inout Responder.Request) -> Bool {
        var left = count
        while left > 0 {
            guard !buffer.isEmpty || fill() else { return false }
            let piece = buffer.prefix(left)
            if request.body.count < Self.keptContent { request.body.append(contentsOf: piece) }
            request.bodySize += piece.count
            left -= piece.count
            buffer.removeFirst(piece.count)
        }
        return true
    }

    private mutating func readLine() -> String? {
        var line: [UInt8] = []
        while let byte = readByte() {
            if byte == 0x0A { return String(decoding: line.dropLast(), as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    private mutating func readByte() -> UInt8? {
        buffer.popFirst() ?? (fill() ? buffer.popFirst() : nil)
    }

    /// Receives some bytes into the buffer, which is empty.
    private mutating func fill() -> Bool {
        let socket = socket
        let bytes = [UInt8](unsafeUninitializedCapacity: 256 << 10) { space, count in
            count = max(0, recv(socket, space.baseAddress, space.count, 0))
        }
        buffer = bytes[...]
        return !bytes.isEmpty
    }

    private func send(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}

extension [UInt8] {
    fileprivate func ends(with end: [UInt8]) -> Bool { suffix(end.count).elementsEqual(end) }
}
