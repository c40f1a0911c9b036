/// When a request is made, and its random octets: what a client needs to sign it.
package struct RequestMoment: Sendable {
    /// Seconds since 1970.
    let now: Int
    /// 32 octets that are never used twice.
    let random: [UInt8]

    package init(now: Int, random: [UInt8]) { (self.now, self.random) = (now, random) }
}
