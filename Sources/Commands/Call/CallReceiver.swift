internal import HTTP
internal import System
internal import Wire

/// Receives the response of a call: passes it through as it arrives, or buffers it if it must be processed.
final class CallReceiver: ResponseReceiver {
    /// What to do with the content.
    private enum Destination {
        case pass
        case keep(limit: Int)
    }

    /// The head, once it has arrived.
    private(set) var head: HTTPResponseHead?
    /// The most bytes of a response that a filter gets.
    static let limit = 128 << 20

    /// The content, if it is buffered.
    private(set) var content: [UInt8] = []
    /// The error of the write that ended the transfer.
    private(set) var writeError: Errno?
    private let sink: ByteSink
    private let plan: (HTTPResponseHead) -> Plan
    private var destination = Destination.pass

    /// What to do with a response, decided by its head.
    struct Plan {
        /// The content is passed on unchanged.
        var passes: Bool
        /// Bytes to write before it.
        var preface: [UInt8] = []
        /// The most bytes to buffer if it is not passed on; the rest is dropped.
        var limit = CallReceiver.limit
    }

    /// Makes a receiver.
    ///
    /// - Parameters:
    ///   - sink: the destination of content that is passed on.
    ///   - plan: decides from the head.
    init(sink: ByteSink, plan: @escaping (HTTPResponseHead) -> Plan) {
        self.sink = sink
        self.plan = plan
    }

    var keepsContent: Bool {
        if case .keep = destination { true } else { false }
    }

    func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        let plan = plan(head)
        destination = plan.passes ? .pass : .keep(limit: plan.limit)
        guard !plan.preface.isEmpty else { return true }
        return plan.preface.withUnsafeBytes(write)
    }

    func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        switch destination {
        case .pass: return write(bytes)
        case .keep(let limit):
            content.append(contentsOf: bytes.prefix(limit - content.count))
            return content.count < limit
        }
    }

    /// Reports a write error that ended the transfer.
    ///
    /// - Throws: exit 11. A closed standard output does not return.
    func checkWriting() throws(Failure) {
        if let writeError { throw sink.failure(writeError) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(Errno) {
            try sink.pass(bytes)
            return true
        } catch {
            writeError = error
            return false
        }
    }
}
