/// Counts requests in the current minute.
struct RateWindow {
    private var minute = 0
    private var requests = 0

    /// Counts a request: whether it is within the limit, the remaining number, and when the next minute begins.
    mutating func count(now: Int, limit: Int) -> (isAllowed: Bool, remaining: Int, reset: Int) {
        if now / 60 != minute { (minute, requests) = (now / 60, 0) }
        requests += 1
        return (requests <= limit, max(0, limit - requests), (minute + 1) * 60)
    }
}
