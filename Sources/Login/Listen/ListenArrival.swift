internal import JOSE
internal import Loopback
internal import OAuth
internal import Wire

/// Classifies a request to `listen`: the expected redirect, or one of the many other requests of browsers, scanners and
/// attackers (oap-listen(1)).
enum ListenArrival: Equatable {
    /// The redirect as it arrived.
    struct Redirect: Equatable {
        /// The URL that the browser asked for.
        let url: String
        /// The posted form, in the mode `form_post`.
        let body: String?
        /// Whether the response has an error, or no code.
        let isRefusal: Bool
    }

    case redirect(Redirect)
    /// The short address, asked for by the user and not by a page.
    case shortAddress
    /// A `Host` other than that of the redirect URI, or none.
    case wrongHost
    /// The request has another path, for example of an icon.
    case wrongPath
    /// The request has another method than that of the redirect.
    case wrongMethod
    /// A prefetch; the browser repeats the request when the user opens the page.
    case prefetch
    /// A form with a content type that browsers do not use for forms.
    case wrongContent
    /// The response to another request, or a forged one; or one of a server that leaves `state` out of its errors.
    case wrongState(MissedRedirects.Stray)
    /// The redirect, or a forged one, from a program of another user of this machine.
    case wrongUser(LoopbackPeer, Redirect)

    init(_ request: LoopbackRequest, target: ListenTarget, users: ListenUsers, mode: ResponseMode, state: String) {
        guard target.isHost(of: request) else { self = .wrongHost; return }
        guard !Self.isShortAddress(request, target, users) else { self = .shortAddress; return }
        guard target.isPath(of: request) else { self = .wrongPath; return }
        guard request.method == (mode.channel == .formPost ? "POST" : "GET") else { self = .wrongMethod; return }
        guard !Self.looksAhead(request) else { self = .prefetch; return }
        var parameters = request.query ?? ""
        var body: String?
        if mode.channel == .formPost {
            let type = request.headers.first("Content-Type").map(MediaType.init)
            guard type?.isForm == true else { self = .wrongContent; return }
            let text = String(validating: request.body, as: UTF8.self) ?? WebURL.encoding(request.body)
            parameters = text
            body = text
        }
        if mode.isSigned { parameters = Callback.opened(parameters) }
        let states = Self.values(of: "state", in: parameters)
        guard states.contains(where: { constantTimeEqual($0, state) }) else {
            let error = Self.values(of: "error", in: parameters).first
            let isResponse = error != nil || !Self.values(of: "code", in: parameters).isEmpty
            let problem = states.isEmpty ? ErrorKind.stateMissing : .stateMismatch
            self = .wrongState(MissedRedirects.Stray(error: error, problem: isResponse ? problem : nil))
            return
        }
        // Without a code the page must not report success; callback-parse reports the error.
        let isRefusal =
            !Self.values(of: "error", in: parameters).isEmpty
            || ["code", "response"].allSatisfy { Self.values(of: $0, in: parameters).isEmpty }
        let (redirect, peer) = (Redirect(url: target.url(of: request), body: body, isRefusal: isRefusal), request.peer)
        self = users.contain(peer) ? .redirect(redirect) : .wrongUser(peer, redirect)
    }

    /// Where and how a response with the state of this login came, and what helps, where that is why it does not count.
    func misdirection(
        of request: LoopbackRequest, target: ListenTarget, state: String
    ) -> (fact: String, hint: String)? {
        let texts = [request.query ?? "", WebURL.encoding(request.body)].map(Callback.opened)
        guard texts.contains(where: { Self.values(of: "state", in: $0).contains { constantTimeEqual($0, state) } })
        else { return nil }
        let (method, uri) = (request.method, target.redirectURI)
        switch self {
        case .wrongPath where ["GET", "POST"].contains(method), .wrongHost:
            let place = "\(uri.scheme)://\(request.authority ?? "")\(request.path)"
            let choice = place.isPlainWord ? ", or use \(Member.option(for: "redirect_uri")) \(place)" : ""
            return ("to \(place), not to \(uri.withoutQuery)", "register \(uri.withoutQuery) at the server\(choice)")
        case .wrongMethod where ["GET", "POST"].contains(method):
            let (other, mode) = method == "POST" ? ("GET", ResponseMode.formPost) : ("POST", .query)
            let option = "\(Member.option(for: "response_mode")) \(mode.rawValue)"
            return ("by \(method), not by \(other)", "if the server answers in no other way, use \(option)")
        default: return nil
        }
    }

    /// Whether a program of the user asks for the short address. A page of another site is refused (Fetch Metadata
    /// Request Headers, `Sec-Fetch-Site`): only the user begins a login.
    private static func isShortAddress(
        _ request: LoopbackRequest, _ target: ListenTarget, _ users: ListenUsers
    ) -> Bool {
        target.shortAddress != nil && request.method == "GET" && request.path == "/"
            && (request.query ?? "").isEmpty && !looksAhead(request) && users.contain(request.peer)
            && request.headers.values(of: "Sec-Fetch-Site").allSatisfy { $0 == "none" || $0 == "same-origin" }
    }

    /// Prefetches and prerenders say so: `Sec-Purpose` (Fetch Standard), `Purpose` and `X-Moz` in older browsers.
    private static func looksAhead(_ request: LoopbackRequest) -> Bool {
        ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].flatMap { request.headers.values(of: $0) }
            .contains { $0.asciiLowercased.hasPrefix("prefetch") || $0.asciiLowercased.hasPrefix("preview") }
    }

    /// The values of a parameter. Pieces that cannot be decoded are ignored: `callback-parse` refuses them.
    private static func values(of name: String, in text: String) -> [String] {
        text.split(separator: "&").compactMap { (try? Callback.parse(String($0)))?.first }
            .filter { $0.name.isIdentical(to: name) && !$0.value.isEmpty }.map(\.value)
    }
}
