package import System

/// A token that waits on standard input, which the command line leaves unread.
package enum WaitingInput: String {
    case jwt = "JWT"
    case document = "token document"

    /// Looks at what a descriptor has; nil for anything else, such as the lines of a loop in a shell. Who pipes a token in
    /// has begun to write soon, and runners of CI keep a pipe open in which nothing ever comes.
    package init?(_ descriptor: FileDescriptor) {
        let bytes = descriptor.peek(patience: 50).filter { $0 > 0x20 }
        let text = String(decoding: bytes, as: UTF8.self)
        let isOfToken = ["access_token", "refresh_token", "id_token"].contains { text.contains("\"\($0)\":") }
        guard text.hasPrefix("eyJ") || text.hasPrefix("{") && isOfToken else { return nil }
        self = text.hasPrefix("{") ? .document : .jwt
    }
}
