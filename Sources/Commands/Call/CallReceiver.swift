internal import Calls
internal import HTTP
internal import System
internal import Wire

/// Receives the response of a call: passes it through as it arrives, or buffers it if it must be processed.
final class CallReceiver: ResponseReceiver {
    /// Where the content of a response goes.
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

    /// What is known of the response.
    private enum State {
        /// Its content goes there.
        case settled(Destination)
        /// It may be one that is sent again: its content is in memory, and settled beyond the limit.
        case inspected
    }

    /// The head, once it has arrived.
    private(set) var head: HTTPResponseHead?
    /// The most bytes of a response that a filter gets.
    static let limit = 128 << 20

    /// The content, if it is buffered.
    private(set) var content: [UInt8] = []
    /// The content that was passed on, if it is copied.
    private var copy: [UInt8]?
    private var copyLimit = 0
    /// The last byte that was passed on.
    private(set) var lastByte: UInt8?
    /// The error of the write that ended the transfer.
    private(set) var writeError: Errno?
    private let sink: ByteSink
    private let progress: TransferProgress?
    private let disposition: (HTTPResponseHead) -> Disposition
    private let plan: (HTTPResponseHead) -> Plan
    private let filter: (UnsafeRawBufferPointer, HTTPResponseHead) -> Bool
    private var state = State.settled(.output)
    /// Whether the content may pause for any time, as a stream of events does.
    private(set) var isStream = false

    /// What to do with a final response, decided by its head.
    struct Plan {
        var destination: Destination
        /// The content is a stream of items: the filter takes one after the other, and nothing is kept of those before.
        var isStream = false
        /// Bytes to write before it.
        var preface: [UInt8] = []
        /// The most bytes to copy of what goes to the output or the filter; there is no copy of longer content.
        var copyLimit: Int?
    }

    /// Makes a receiver.
    ///
    /// - Parameters:
    ///   - sink: the destination of content that is passed on.
    ///   - disposition: decides from the head what becomes of the content.
    ///   - filter: gives a piece of content to the filter; false ends the transfer.
    ///   - progress: counts the content.
    ///   - plan: decides from the head of a final response.
    init(
        sink: ByteSink, progress: TransferProgress? = nil, disposition: @escaping (HTTPResponseHead) -> Disposition,
        filter: @escaping (UnsafeRawBufferPointer, HTTPResponseHead) -> Bool = { _, _ in true },
        plan: @escaping (HTTPResponseHead) -> Plan
    ) {
        self.filter = filter
        self.sink = sink
        self.progress = progress
        self.disposition = disposition
        self.plan = plan
    }

    var keepsContent: Bool {
        switch state {
        case .settled(.output), .settled(.screen): false
        case .settled(.filter): !isStream
        case .settled(.memory), .inspected: true
        }
    }

    func receive(head: HTTPResponseHead) -> Bool {
        self.head = head
        progress?.begin(head)
        switch disposition(head) {
        case .deliver: return settleOn(head)
        case .hold, .discard:
            state = .settled(.memory(limit: CallFailure.limit))
            return true
        case .inspect:
            state = .inspected
            return true
        }
    }

    func receive(content bytes: UnsafeRawBufferPointer) -> Bool {
        progress?.add(bytes.count)
        return take(bytes)
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
        copy?.append(contentsOf: bytes)
        if let copy, copy.count > copyLimit { self.copy = nil }
        guard let head else { preconditionFailure("content comes after its head") }
        switch state {
        case .settled(.output): return write(bytes)
        case .settled(.filter): return filter(bytes, head)
        case .settled(.screen(let limit)):
            guard content.count + bytes.count > limit else {
                content.append(contentsOf: bytes)
                return true
            }
            return passHeld() && write(bytes)
        case .settled(.memory(let limit)):
            content.append(contentsOf: bytes.prefix(limit - content.count))
            return content.count < limit
        case .inspected:
            guard content.count + bytes.count > CallFailure.limit else {
                content.append(contentsOf: bytes)
                return true
            }
            return settleOn(head) && take(bytes)
        }
    }

    /// The whole content; nil if it was passed on and not copied.
    var wholeContent: [UInt8]? {
        if case .settled(.memory) = state { content } else { copy }
    }

    /// Delivers the content of a response that was inspected and is final.
    func settle() {
        if case .inspected = state, let head { _ = settleOn(head) }
    }

    /// Passes on what was buffered to be shown: more of it has come than is shown, or less than all of it.
    @discardableResult
    func passHeld() -> Bool {
        guard case .settled(.screen) = state else { return true }
        let held = content
        content = []
        state = .settled(.output)
        return held.withUnsafeBytes(write)
    }

    /// From now on the response is the one that counts: no renewal and no retry follows it.
    private func settleOn(_ head: HTTPResponseHead) -> Bool {
        let plan = plan(head)
        let held = content
        content = []
        isStream = plan.isStream
        state = .settled(plan.destination)
        if let limit = plan.copyLimit { (copy, copyLimit) = ([], limit) }
        guard plan.preface.isEmpty || plan.preface.withUnsafeBytes(write) else { return false }
        return held.isEmpty || held.withUnsafeBytes { take($0) }
    }

    /// Reports a write error that ended the transfer.
    ///
    /// - Throws: exit 11. A closed standard output does not return.
    func checkWriting() throws(Failure) {
        if let writeError { throw sink.failure(writeError) }
    }

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
