internal import JOSE
internal import Loopback
internal import OAuth
internal import Wire

/// What a request to `listen` is: the redirect that is awaited, or one of the many things that a browser, a scanner or
/// an attacker also sends (oap-listen(1)).
enum ListenArrival: Equatable {
    /// The redirect.
    case redirect(ListenRedirect)
    /// Another name for this machine, or none.
    case wrongHost
    /// Another path, for example that of an icon.
    case wrongPath
    /// Another method than the one in which the redirect comes.
    case wrongMethod
    /// The browser looks ahead; it will ask again when the person goes there.
    case prefetch
    /// A form in a content type that browsers do not send forms in, or that is not text.
    case wrongContent
    /// Another request's answer, or a forged one.
    case wrongState
    /// The redirect, or a forged one, from a program of another user of this machine.
    case wrongUser(LoopbackPeer)

    /// Tells what a request is.
    ///
    /// - Parameters:
    ///   - target: where the redirect is awaited.
    ///   - users: whose programs may bring it.
    ///   - mode: how it comes.
    ///   - state: the `state` that was sent.
    init(_ request: LoopbackRequest, target: ListenTarget, users: ListenUsers, mode: ResponseMode, state: String) {
        guard target.isHost(of: request) else { self = .wrongHost; return }
        guard target.isPath(of: request) else { self = .wrongPath; return }
        guard request.method == (mode == .formPost ? "POST" : "GET") else { self = .wrongMethod; return }
        guard !Self.looksAhead(request) else { self = .prefetch; return }
        var parameters = request.query ?? ""
        var body: String?
        if mode == .formPost {
            let type = request.headers.first("Content-Type").map(MediaType.init)
            guard type?.isForm == true, let text = String(validating: request.body, as: UTF8.self) else {
                self = .wrongContent
                return
            }
            parameters = text
            body = text
        }
        guard Self.values(of: "state", in: parameters).contains(where: { constantTimeEqual($0, state) }) else {
            self = .wrongState
            return
        }
        let peer = request.peer
        guard users.contain(peer) else { self = .wrongUser(peer); return }
        // With neither a code nor an error it is no success that a page should speak of; callback-parse says what it is.
        let isRefusal =
            !Self.values(of: "error", in: parameters).isEmpty
            || ["code", "response"].allSatisfy { Self.values(of: $0, in: parameters).isEmpty }
        self = .redirect(ListenRedirect(url: target.url(of: request), body: body, isRefusal: isRefusal))
    }

    /// Prefetches and prerenders say so: `Sec-Purpose` (Fetch Standard), `Purpose` and `X-Moz` in older browsers.
    private static func looksAhead(_ request: LoopbackRequest) -> Bool {
        ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].flatMap { request.headers.values(of: $0) }
            .contains { $0.asciiLowercased.hasPrefix("prefetch") || $0.asciiLowercased.hasPrefix("preview") }
    }

    /// The values of a parameter. Pieces that cannot be decoded are passed over: `callback-parse` judges them.
    private static func values(of name: String, in text: String) -> [String] {
        text.split(separator: "&").compactMap { (try? FormEncoding.parse(String($0)))?.first }
            .filter { $0.name.isIdentical(to: name) && !$0.value.isEmpty }.map(\.value)
    }
}

/// The redirect as it arrived.
struct ListenRedirect: Equatable {
    /// The URL that the browser asked for.
    let url: String
    /// The form that it posted there, in that mode.
    let body: String?
    /// Whether it brings an error, or nothing to go on with.
    let isRefusal: Bool
}
