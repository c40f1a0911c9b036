package import Wire

/// What to send to an API, with no credential in it: the credential is added at each hop. It is built once, before
/// anything is sent.
package struct APIRequest {
    /// Method, URL, header fields, and the content if it is in memory.
    package let message: HTTPRequest
    /// The content if it is streamed; `message` has none then.
    package let upload: (any ContentSource)?
    /// Makes further fields for each attempt, which ask for what is missing then. With it a response that breaks off is
    /// a failure that may pass, as one before the response.
    package let fields: (() -> [HTTPField])?
    /// The statuses that may pass at this server, besides those that may pass everywhere.
    let passing: [Int]

    package init(
        _ message: HTTPRequest, upload: (any ContentSource)? = nil, fields: (() -> [HTTPField])? = nil,
        passing: [Int] = []
    ) {
        (self.message, self.upload, self.fields, self.passing) = (message, upload, fields, passing)
    }

    /// Whether the method is safe (RFC 9110 §9.2.1).
    package var onlyReads: Bool { message.method == "GET" || message.method == "HEAD" }
}
