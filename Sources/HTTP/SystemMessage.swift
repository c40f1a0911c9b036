internal import Glibc

/// What the system says about an error number, with a small first letter as in all our messages.
func systemMessage(_ code: Int32) -> String {
    let message = String(cString: strerror(code))
    return message.prefix(1).lowercased() + message.dropFirst()
}
