package import OAuth
internal import Wire

/// Which redirects are followed (RFC 9110 §15.4). Credentials and content are not sent to another origin.
package enum RedirectPolicy: Sendable {
    case any, sameOrigin
    /// The response is final.
    case none

    static let maximumHops = 10

    /// The hop that a response to this one asks for; nil for a response that is final.
    ///
    /// - Throws: why the redirect is not followed.
    func next(after head: HTTPResponseHead, to hop: Hop) throws(RedirectError) -> Hop? {
        guard self != .none, [301, 302, 303, 307, 308].contains(head.status) else { return nil }
        guard let location = head.headers.first("Location"), !location.isEmpty else {
            // A 308 without Location asks for the rest of an upload, at Google. Otherwise there is no result.
            guard head.status < 304 else { return nil }
            throw RedirectError(
                kind: .invalidResponse, status: head.status,
                message: "the response with status \(head.status) has no Location to follow")
        }
        guard let source = WebURL(hop.message.url) else { preconditionFailure("a URL that was asked is a URL") }
        guard let target = source.resolving(written: location) else {
            throw Self.error(
                .redirectRefused, head.status, "its Location is not a URL", "the redirect cannot be followed")
        }
        try check(target, from: source, status: head.status, hops: hop.count)
        let isSameOrigin = target.origin == source.origin
        var next = hop
        next.count += 1
        next.isBare = hop.isBare || !isSameOrigin
        next.message.url = target.withoutFragment
        if Self.becomesGet(hop.message.method, head.status) {
            next.message.method = hop.message.method == "HEAD" ? "HEAD" : "GET"
            next.message.body = nil
            next.upload = nil
            next.message.headers.removeAll { $0.name.asciiLowercased.hasPrefix("content-") }
        } else {
            try checkContent(of: hop, isSameOrigin: isSameOrigin, status: head.status, shown: target.withoutQuery)
        }
        if !isSameOrigin { next.message.headers.removeAll { !$0.survivesOrigin } }
        return next
    }

    private func checkContent(
        of hop: Hop, isSameOrigin: Bool, status: Int, shown: String
    ) throws(RedirectError) {
        guard hop.message.body != nil || hop.upload != nil else { return }
        guard isSameOrigin else {
            throw Self.error(.redirectRefused, status, shown, "the redirect would send the content to another origin")
        }
        guard hop.upload?.isReplayable ?? true else {
            throw Self.error(
                .contentNotReplayable, status, shown,
                "the redirect requires the content again, but it came from a pipe and was too large to keep")
        }
    }

    private func check(_ target: WebURL, from source: WebURL, status: Int, hops: Int) throws(RedirectError) {
        let shown = target.withoutQuery
        guard hops < Self.maximumHops else {
            throw Self.error(.redirectLoop, status, shown, "more than \(Self.maximumHops) redirects in a row")
        }
        guard target.scheme == "https" || target.scheme == "http", target.host != nil else {
            throw Self.error(
                .redirectRefused, status, shown, "the redirect leads to a URL that is neither http nor https")
        }
        guard target.userinfo == nil else {
            throw Self.error(
                .redirectRefused, status, shown, "the URL of the redirect contains a user name or password")
        }
        guard target.scheme == "https" || source.scheme == "http" && target.isLoopback else {
            throw Self.error(.insecureTransport, status, shown, "the redirect leads to plain http")
        }
        guard self == .any || target.origin == source.origin else {
            throw Self.error(.redirectCrossOrigin, status, shown, "the redirect leads to another origin")
        }
    }

    /// Whether the next request is a GET without content: after 303 always, after 301 and 302 to POST as all
    /// clients do (RFC 9110 §15.4.2).
    private static func becomesGet(_ method: String, _ status: Int) -> Bool {
        status == 303 || method == "POST" && (status == 301 || status == 302)
    }

    private static func error(
        _ kind: ErrorKind, _ status: Int, _ location: String, _ reason: String
    ) -> RedirectError {
        RedirectError(kind: kind, status: status, message: "\(reason): \(location)")
    }
}

extension HTTPField {
    /// Whether the field may be sent to another origin. Any field that is not known to be harmless may be a credential.
    fileprivate var survivesOrigin: Bool {
        let name = name.asciiLowercased
        return ["accept", "accept-language", "user-agent", "range"].contains(name) || name.hasPrefix("if-")
    }
}

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

/// Why a redirect is not followed.
package struct RedirectError: Error, Sendable, Equatable {
    /// The kind: `redirect_refused` for a target that is no web URL, has user information, or would be sent content that is
    /// meant for another origin; `redirect_cross_origin`, `redirect_loop`, `body_not_replayable`, `insecure_transport`,
    /// `invalid_response` for none.
    package var kind: ErrorKind
    package var status: Int
    /// The sentence for the user, with the target's URL without its query: lower case, no full stop, no secret.
    package var message: String
}
