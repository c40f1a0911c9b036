internal import Wire

/// The request of one hop, without a credential.
struct Hop {
    /// Method, URL, header fields, and the content where it is in memory.
    var message: HTTPRequest
    /// The content where it is read while it is sent.
    var upload: (any ContentSource)?
    /// Whether a redirect has left the origin: no credential is sent from there on.
    var isBare = false
    /// How many redirects led here.
    var count = 0
}
