package import System
package import Wire

/// What a response says of the clocks of its server and of this machine.
extension Clock {
    /// When a response was made, in seconds since 1970; nil without a `Date`.
    package static func time(of head: HTTPResponseHead) -> Int? {
        head.headers.first("Date").flatMap { HTTPDate($0)?.seconds }
    }

    /// How far the clocks are apart, if it is more than these seconds.
    package static func hint(_ serverTime: Int?, now: Int, tolerance: Int) -> String? {
        guard let serverTime, abs(now - serverTime) > tolerance else { return nil }
        let ahead = now - serverTime
        return
            "correct the clock of this machine: it is \(abs(ahead)) s \(ahead > 0 ? "ahead of" : "behind") the server's"
    }

    /// Why a proof of a key may be refused: what it is compared with (RFC 9449 §4.3).
    package static func hintForProof(_ serverTime: Int?, now: Int) -> String {
        hint(serverTime, now: now, tolerance: 4) ?? "the server may not know its own public address"
    }
}
