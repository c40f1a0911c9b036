internal import Calls
internal import CommandSpec

extension RetryPolicy {
    /// Reads the options.
    ///
    /// - Throws: exit 2 for an invalid number.
    init(_ arguments: Arguments) throws(Failure) {
        self.init()
        if let text = arguments.value(CallOption.retry) {
            guard let number = Int(text), (0...1_000_000).contains(number) else {
                throw .usage("\(CallOption.retry.name) must be a whole number from 0 to 1000000")
            }
            limit = number
        }
        delay = try arguments.seconds(CallOption.retryDelay, takesZero: true)
        if let seconds = try arguments.seconds(CallOption.retryMaxTime, takesZero: true) {
            maximumTime = seconds == 0 ? .infinity : seconds
        }
        includesAllMethods = arguments.has(CallOption.retryAllMethods)
    }
}
