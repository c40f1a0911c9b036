internal import Wire

/// The request of one hop, without a credential.
struct Hop {
    /// Method, URL, header fields, and the content if it is in memory.
    var message: HTTPRequest
    /// The content if it is streamed.
    var upload: (any ContentSource)?
    /// Whether a redirect has left the origin: no credential is sent from then on.
    var isBare = false
    /// How many redirects led here.
    var count = 0
}
