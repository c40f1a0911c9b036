internal import JOSE
internal import Loopback
internal import Wire

/// The pages for the browser: fixed texts, with no data of the request, but for the reason of a failure.
enum ListenPage: CaseIterable {
    /// The redirect with a code has arrived; what becomes of it is not known here.
    case received
    /// The code has been exchanged for a token.
    case signedIn
    /// The redirect with an error has arrived, or the login has failed.
    case refused
    /// A response to another request, or a second redirect.
    case expired
    /// Anything else.
    case nothingHere

    /// The page as a response that ends the connection.
    ///
    /// - Parameter reason: what the page says, in the place of its own text.
    func response(status: Int, reason: String? = nil) -> LoopbackResponse {
        var response = LoopbackResponse(
            status: status,
            headers: [
                HTTPField("Content-Type", "text/html; charset=utf-8"),
                HTTPField("Cache-Control", "no-store"),
                HTTPField("Referrer-Policy", "no-referrer"),
                HTTPField("Content-Security-Policy", Self.policy),
                HTTPField("X-Content-Type-Options", "nosniff"),
            ], body: .bytes(Array(html(reason).utf8)))
        response.closes = true
        return response
    }

    static func redirect(to url: WebURL) -> LoopbackResponse {
        var response = LoopbackResponse(
            status: 302,
            headers: [
                HTTPField("Location", url.text), HTTPField("Cache-Control", "no-store"),
                HTTPField("Referrer-Policy", "no-referrer"),
            ])
        response.closes = true
        return response
    }

    /// Forbids all loading and scripts, and every style except the page's own.
    private static let policy: String = {
        let hash = Base64.encode(Digest.sha256(Array(style.utf8)))
        return "default-src 'none'; style-src 'sha256-\(hash)'"
    }()

    private var title: String {
        switch self {
        case .received: "Answer received"
        case .signedIn: "Signed in"
        case .refused: "Not signed in"
        case .expired: "Another sign-in"
        case .nothingHere: "Nothing here"
        }
    }

    private var text: String {
        switch self {
        case .received: "The terminal says whether you are signed in. You can close this window."
        case .signedIn: "You can close this window and go back to the terminal."
        case .refused: "The sign-in was refused. The terminal says why; you can close this window."
        case .expired:
            """
            This answer belongs to another sign-in. The terminal still waits for the answer to its own sign-in. Close \
            this window, and open the address that the terminal shows.
            """
        case .nothingHere: "This address only takes the answer to a sign-in. You can close this window."
        }
    }

    /// The colour of the sign, and its strokes in a square of 24.
    private var sign: (name: String, path: String) {
        switch self {
        case .received, .signedIn: ("good", "M6 12.5l4 4 8-9")
        case .refused: ("bad", "M7.5 7.5l9 9m0-9l-9 9")
        case .expired, .nothingHere: ("plain", "M12 6.5v7m0 3.5v.5")
        }
    }

    private func html(_ reason: String?) -> String {
        let said = reason.map { Self.escaping(Terminal.escaping($0).asSentence) }
        let paragraphs = said.map { ["\($0)", "You can close this window."] } ?? [text]
        return Manual.file("page.html").filling([
            "title": title, "style": Self.style, "sign": sign.name, "path": sign.path,
            "paragraphs": paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n"),
        ])
    }

    private static func escaping(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static let style = String(Manual.file("style.css").dropLast())
}
