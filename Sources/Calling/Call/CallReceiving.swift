package import HTTP
package import Shell
package import System

/// Receives the response to a request of a driver. It gives each head to the function that it was made with, which says what
/// becomes of the content.
package protocol CallReceiving: ResponseReceiver {
    /// The content that it holds; that of a response that is no success says whether the request is sent again.
    var content: [UInt8] { get }
    /// The status of the response; nil before its head has come.
    var status: Int? { get }
    /// The bytes of content so far.
    var receivedCount: Int { get }
    /// Whether the content may pause for any time.
    var isStream: Bool { get }
    /// The error of the write that made it end the transfer; nil if it ended it for another reason, or not.
    var writeError: Errno? { get }

    /// Reports that error.
    ///
    /// - Throws: exit 11.
    func checkWriting() throws(Failure)
}

extension CallReceiving {
    package var isStream: Bool { false }
    package var writeError: Errno? { nil }
    package func checkWriting() throws(Failure) {}
}
