import Foundation
import TestSupport
import Testing
import Wire

/// A secret that a server repeats: as it is, or in every spelling at once.
enum PlantedSecret: CaseIterable, Sendable {
    case plain
    case everySpelling

    static let secret = "hunter2/s3cret+value=%41&more"

    /// Each way to write the secret.
    static let spellings = [
        secret, "before-\(secret)-behind", secret.utf8.map { String(format: "%%%02X", $0) }.joined(),
        secret.utf8.map { String(format: "%%%02x", $0) }.joined(), FormEncoding.encode(secret),
        Base64.encode(Array(secret.utf8)), Base64.encodeURL(Array(secret.utf8)),
        Base64.encode(Array("client:\(secret)".utf8)), escaped,
    ]

    private static let escaped = secret.utf8.map { String(format: "\\u%04x", $0) }.joined()

    /// What the server writes.
    var text: String { self == .plain ? Self.secret : Self.spellings.joined(separator: " ") }

    /// The text as a string of JSON, in which the escaped spelling is an escape.
    private var string: String {
        JSON.string(text).text.replacing(Self.escaped.replacing("\\", with: "\\\\"), with: Self.escaped)
    }

    /// Responses with the secret in every text that a server controls.
    ///
    /// - Parameter retried: whether those are among them after which most requests are made again, with pauses; they are
    ///   always with `Tests/run.sh --all`.
    func replies(retried: Bool = true) -> [(name: String, reply: Responder.Reply)] {
        lasting + (retried || Extent.isAll ? passing : [])
    }

    private typealias Replies = [(name: String, reply: Responder.Reply)]

    private func json(_ name: String, _ text: String, _ status: Int = 200) -> Replies.Element {
        ("\(name) \(status)", .json(text, status: status))
    }

    private var passing: Replies {
        [
            json("error", "{\"error\":\(string)}", 503), json("broken", "{\(string)", 500),
            ("html", .text("<p>\(text)", status: 502)), ("malformed", .raw("\(text)\r\n\r\n").then(.close)),
        ]
    }

    private var lasting: Replies {
        let token = #""access_token":"at","token_type":"Bearer""#
        let name = string.dropLast() + "_file\""
        let device =
            #""device_code":"d","user_code":"AB","verification_uri":"https://as.example/d","expires_in":60,"interval":1"#
        return [
            json("scope", "{\(token),\"scope\":\(string)}"),
            json("token_type", "{\"access_token\":\"at\",\"token_type\":\(string)}"),
            json("access_token", "{\"access_token\":\(string),\"token_type\":\(string)}"),
            json("refresh_token", "{\"refresh_token\":\(string),\"token_type\":\(string)}"),
            json("expires_in", "{\(token),\"expires_in\":\(string)}"),
            json("member", "{\(token),\(name):1}"), json("two members", "{\(token),\(name):1,\(name):1}"),
            json("id_token", "{\(token),\"id_token\":\(string)}"),
            json("issued_token_type", "{\(token),\"issued_token_type\":\(string)}"),
            json("error", "{\"error\":\(string)}", 400), json("error", "{\"error\":\(string)}"),
            json("description", "{\"error\":\"x\",\"error_description\":\(string),\"error_uri\":\(string)}", 400),
            json("description", "{\"error\":\"invalid_client\",\"error_description\":\(string)}", 401),
            json("nested", "{\"error\":{\"message\":\(string),\"code\":\(string)},\"message\":\(string)}", 400),
            json("problem", "{\"title\":\(string),\"detail\":\(string),\"type\":\(string)}", 403),
            json("string", string), json("broken", "{\(string)"),
            json("verification_uri", "{\(device),\"verification_uri_complete\":\(string)}"),
            json("user_code", "{\(device.replacing("\"AB\"", with: string))}"),
            json("interval", "{\(device.replacing("\"interval\":1", with: "\"interval\":\(string)"))}"),
            json("request_uri", "{\"request_uri\":\(string),\"expires_in\":\(string)}", 201),
            json("client", "{\"client_id\":\"c\",\"client_name\":\(string),\"redirect_uris\":[\(string)]}", 201),
            json("client_name", "{\"client_id\":\"client\",\"client_name\":\(string),\(name):1}"),
            json("client_secret", "{\"client_id\":\"c\",\"scope\":\(string),\"client_secret\":\(string)}", 201),
            json("keys", "{\"keys\":[{\"kty\":\(string),\"alg\":\(string),\"kid\":\(string)}]}"),
            ("text", .text(text)),
            ("form", .content(Array("error=\(text)&error_description=\(text)".utf8), type: "x/\(text)")),
            (
                "head",
                .raw(
                    "HTTP/1.1 400 \(text)\r\nX-Test: \(text)\r\nWWW-Authenticate: Bearer error=\"\(text)\", "
                        + "error_description=\"\(text)\", scope=\"\(text)\"\r\nRetry-After: \(text)\r\n"
                        + "Content-Type: \(text)\r\nContent-Length: 2\r\n\r\n{}")
            ),
            (
                "challenge",
                .raw(
                    "HTTP/1.1 401 \(text)\r\nWWW-Authenticate: Bearer error=\"insufficient_user_authentication\", "
                        + "acr_values=\"\(text)\", max_age=\"\(text)\"\r\nContent-Length: 0\r\n\r\n")
            ),
            (
                "scope of the challenge",
                .text(
                    "", status: 403,
                    headers: ["WWW-Authenticate: Bearer error=\"insufficient_scope\", scope=\"\(text)\""])
            ),
            ("redirect", .redirect(302, to: "http://api.example/\(text)?\(text)#\(text)")),
            ("redirect", .redirect(307, to: "https://\(text)/")),
            ("malformed", .raw("HTTP/1.1 200 OK\r\nContent-Encoding: \(text)\r\nContent-Length: 2\r\n\r\n{}")),
        ]
    }

    /// Records a failure when standard error, or an error document, has the secret in any spelling.
    static func check(_ result: ProgramResult, _ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let shown = result.errorText + (result.ending == .status(0) ? "" : result.text)
        for spelling in spellings where shown.contains(spelling) {
            Issue.record("\(what): the secret was shown as \(spelling)\n\(result)", sourceLocation: sourceLocation)
        }
    }
}
