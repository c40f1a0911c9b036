internal import HTTP
internal import System

/// Receives the response to a request of a ``CallDriver``. It gives each head to the function that it was made with, which
/// says what becomes of the content.
protocol CallReceiving: ResponseReceiver {
    /// The content that it holds; that of a response that is no success says whether the request is sent again.
    var content: [UInt8] { get }
    /// Whether the content may pause for any time, as a stream of events does: then nothing is lost by the end of the
    /// process where the reader of the result is gone.
    var isStream: Bool { get }
    /// The error of the write that made it end the transfer; nil if it ended it for another reason, or not.
    var writeError: Errno? { get }
    /// Reports the error of a write.
    ///
    /// - Throws: exit 11. A closed standard output does not return.
    func checkWriting() throws(Failure)
}

extension CallReceiving {
    var content: [UInt8] { [] }
    var isStream: Bool { false }
    var writeError: Errno? { nil }
    func checkWriting() throws(Failure) {}
}
