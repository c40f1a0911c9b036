internal import Calls
internal import HTTP
package import System
package import Wire
package import Shell
internal import Tokens

/// Receives the response of a call: passes it through as it arrives, or buffers it if it must be processed. It gives each
/// head to the function that it was made with, which says what becomes of the content.
package final class CallReceiver: CallReceiving {
    enum Destination {
        /// To the output, unchanged.
        case output
        /// To the filter.
        case filter
        /// Into memory, to show it as JSON; to the output when there is more than the limit.
        case screen(limit: Int)
        /// Into memory; what is beyond the limit is dropped.
        case memory(limit: Int)
    }

    /// What to do with a response, decided by its head.
    struct Plan {
        var destination: Destination
        /// The content is a stream of items: the filter takes one after the other, and nothing is kept of those before.
        var isStream = false
        /// Bytes to write before it.
        var preface: [UInt8] = []
        /// The most bytes to copy of what goes to the output or the filter; there is no copy of longer content.
        var copyLimit: Int?
    }

    /// The most bytes of a response that a filter gets.
    static let limit = 128 << 20
    /// The most bytes of an error's body that are kept.
    static let errorLimit = 1 << 20

    /// The content that it holds; that of a response that is no success says whether the request is sent again.
    package private(set) var content: [UInt8] = []
    /// The content that was passed on, if it is copied.
    private var copy: [UInt8] = []
    /// The last byte that was passed on.
    private(set) var lastByte: UInt8?
    /// The error of the write that made it end the transfer; nil if it ended it for another reason, or not.
    package private(set) var writeError: Errno?
    private var received: HTTPResponseHead?
    /// The status of the response; nil before its head has come.
    package var status: Int? { received?.status }
    /// The bytes of content so far.
    package private(set) var receivedCount = 0
    /// Nil while the response may be one that is sent again: its content is in memory, and delivered beyond the limit.
    private var plan: Plan?
    private let sink: ByteSink
    private let progress: TransferProgress?
    private let disposition: (HTTPResponseHead) -> Disposition
    private let filter: (UnsafeRawBufferPointer, HTTPResponseHead) -> Bool
    private let makePlan: (HTTPResponseHead) -> Plan

    /// - Parameters:
    ///   - sink: the destination of content that is passed on.
    ///   - disposition: decides from the head what becomes of the content.
    ///   - filter: gives a piece of content to the filter; false ends the transfer.
    ///   - plan: decides from the head of a final response.
    init(
        sink: ByteSink, progress: TransferProgress? = nil, disposition: @escaping (HTTPResponseHead) -> Disposition,
        filter: @escaping (UnsafeRawBufferPointer, HTTPResponseHead) -> Bool = { _, _ in true },
        plan: @escaping (HTTPResponseHead) -> Plan
    ) {
        (self.filter, self.sink, self.progress, self.disposition) = (filter, sink, progress, disposition)
        makePlan = plan
    }

    /// The head of the response, which has come.
    var head: HTTPResponseHead {
        guard let received else { preconditionFailure("content comes after its head") }
        return received
    }

    /// Whether the content may pause for any time, as a stream of events does: then nothing is lost by the end of the
    /// process where the reader of the result is gone.
    package var isStream: Bool { plan?.isStream ?? false }

    package var keepsContent: Bool {
        switch plan?.destination {
        case .output, .screen: false
        case .filter: !isStream
        case .memory, nil: true
        }
    }

    package func receive(head: HTTPResponseHead) -> Bool {
        received = head
        progress?.begin(head)
        switch disposition(head) {
        case .deliver: return deliver(head)
        case .hold, .discard: plan = Plan(destination: .memory(limit: Self.errorLimit))
        case .inspect: plan = nil
        }
        return true
    }

    package func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        receivedCount += bytes.count
        progress?.add(bytes.count)
        return take(bytes)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if let limit = plan?.copyLimit {
            copy.append(contentsOf: bytes)
            if copy.count > limit {
                copy = []
                plan?.copyLimit = nil
            }
        }
        switch plan?.destination {
        case .output: return write(bytes)
        case .filter: return filter(bytes, head)
        case .screen(let limit): return hold(bytes, limit) || passHeld() && write(bytes)
        case .memory(let limit):
            content.append(contentsOf: bytes.prefix(limit - content.count))
            return content.count < limit
        case nil: return hold(bytes, Self.errorLimit) || deliver(head) && take(bytes)
        }
    }

    /// Buffers bytes, unless there would be more than the limit.
    private func hold(_ bytes: UnsafeRawBufferPointer, _ limit: Int) -> Bool {
        guard content.count + bytes.count <= limit else { return false }
        content.append(contentsOf: bytes)
        return true
    }

    /// The whole content; nil if it was passed on and not copied.
    var wholeContent: [UInt8]? {
        if case .memory = plan?.destination { content } else { plan?.copyLimit.map { _ in copy } }
    }

    /// Delivers the content of a response that was inspected and is final.
    func deliverInspected() { if plan == nil, let received { _ = deliver(received) } }

    /// Passes on what was buffered to be shown: more of it has come than is shown, or less than all of it.
    @discardableResult
    func passHeld() -> Bool {
        guard case .screen = plan?.destination else { return true }
        plan?.destination = .output
        return takeContent().withUnsafeBytes(write)
    }

    /// Delivers the response from here on, since it counts: no renewal and no retry follows it.
    private func deliver(_ head: HTTPResponseHead) -> Bool {
        let (plan, held) = (makePlan(head), takeContent())
        self.plan = plan
        guard plan.preface.isEmpty || plan.preface.withUnsafeBytes(write) else { return false }
        return held.isEmpty || held.withUnsafeBytes(take)
    }

    private func takeContent() -> [UInt8] {
        defer { content = [] }
        return content
    }

    /// Reports the error of a write.
    ///
    /// - Throws: exit 11. A closed standard output does not return.
    package func checkWriting() throws(Failure) { if let writeError { throw sink.failure(writeError) } }

    /// Refuses content that was cut at the limit, or whose values the memory cannot hold.
    ///
    /// - Throws: exit 10.
    func checkSize() throws(Failure) {
        guard content.count < Self.limit else {
            throw AnswerMemory.tooLarge("the response is larger than \(Self.limit >> 20) MiB, too large for a filter")
        }
        try AnswerMemory.check(content)
    }

    private func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        do throws(Errno) {
            try sink.pass(bytes)
            lastByte = bytes.last ?? lastByte
            return true
        } catch {
            writeError = error
            return false
        }
    }
}
