internal import Glibc

/// The system's message for an error number, in lower case like all messages.
func systemMessage(_ code: Int32) -> String {
    let message = String(cString: strerror(code))
    return message.prefix(1).lowercased() + message.dropFirst()
}
