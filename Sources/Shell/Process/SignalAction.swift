internal import Glibc

/// What this process does about a signal. It may be asked in a handler.
enum SignalAction {
    /// Handlers cannot be compared; their addresses can.
    static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        sigaction(signal, nil, &action)
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}
