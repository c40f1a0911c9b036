/// What the status of a response says about another attempt: the one list of statuses for that.
package enum HTTPStatus {
    /// Whether the server is busy or broken, so that the request was not refused for what it says: 408, 429, 500 to 599.
    package static func isFailureOfServer(_ status: Int) -> Bool {
        status == 408 || status == 429 || (500..<600).contains(status)
    }

    /// Whether such a failure may pass while a command waits, so that it sends the request again. Others of the server, such
    /// as 501 and 507, last.
    package static func mayPass(_ status: Int) -> Bool { [408, 429, 500, 502, 503, 504].contains(status) }
}
