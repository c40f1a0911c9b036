internal import JOSE
internal import Loopback
internal import Wire
internal import Shell

/// The pages for the browser: fixed texts (`pages.json`), with no data of the request, but for the reason of a failure.
enum ListenPage: String {
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
        var response = Self.response(
            status,
            [
                HTTPField("Content-Type", "text/html; charset=utf-8"),
                HTTPField("Content-Security-Policy", Self.policy),
                HTTPField("X-Content-Type-Options", "nosniff"),
            ])
        response.body = .bytes(Array(html(reason).utf8))
        return response
    }

    static func redirect(to url: WebURL) -> LoopbackResponse { response(302, [HTTPField("Location", url.text)]) }

    private static func response(_ status: Int, _ fields: [HTTPField]) -> LoopbackResponse {
        let common = [HTTPField("Cache-Control", "no-store"), HTTPField("Referrer-Policy", "no-referrer")]
        var response = LoopbackResponse(status: status, headers: fields + common)
        response.closes = true
        return response
    }

    /// Forbids all loading and scripts, and every style except the page's own.
    private static let policy: String = {
        let hash = Base64.encode(Digest.sha256(Array(style.utf8)))
        return "default-src 'none'; style-src 'sha256-\(hash)'"
    }()

    private static let texts = JSONObject(builtIn: "pages.json")

    private func html(_ reason: String?) -> String {
        let text = { (name: String) in Self.texts[rawValue]?.object?[name]?.string ?? "" }
        let said = reason.map { Self.escaping(Terminal.escaping($0).asSentence) }
        let paragraphs = said.map { [$0, "You can close this window."] } ?? [text("text")]
        return Manual.file("page.html").filling([
            "title": text("title"), "style": Self.style, "sign": text("sign"), "path": text("path"),
            "paragraphs": paragraphs.map { "<p>\($0)</p>" }.joined(separator: "\n"),
        ])
    }

    private static func escaping(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }

    private static let style = String(Manual.file("style.css").dropLast())
}
