internal import Calls
internal import CommandSpec

extension RetryPolicy {
    /// Reads the options.
    init(_ arguments: Arguments) {
        self.init()
        limit = arguments.number(CallOption.retry) ?? limit
        delay = arguments.seconds(CallOption.retryDelay)
        if let seconds = arguments.seconds(CallOption.retryMaxTime) {
            maximumTime = seconds == 0 ? .infinity : seconds
        }
        includesAllMethods = arguments.has(CallOption.retryAllMethods)
    }
}
