/// What the status of a response says about another attempt: the one place with lists of statuses for that.
package enum HTTPStatus {
    /// Whether the server is busy or broken, so that the request was not refused for what it says: 408, 429, 500 to 599.
    package static func isFailureOfServer(_ status: Int) -> Bool {
        status == 408 || status == 429 || (500..<600).contains(status)
    }

    /// Whether such a failure may pass while a command waits, so that it sends the request again: each but those that say what
    /// the server, or the way to it, cannot do.
    package static func mayPass(_ status: Int) -> Bool {
        isFailureOfServer(status) && ![501, 505, 506, 508, 510, 511].contains(status)
    }

    /// Whether the server has not begun with the request: 425 (RFC 8470 §5.2), 429.
    package static func isUntouched(_ status: Int) -> Bool { status == 425 || status == 429 }

    /// Whether nothing was carried out, and the server may do so later: 429, 503.
    package static func isDeferral(_ status: Int) -> Bool { status == 429 || status == 503 }

    /// Whether the answer may be that of a rate limit: 403, 429.
    package static func mayBeLimit(_ status: Int) -> Bool { status == 403 || status == 429 }
}
