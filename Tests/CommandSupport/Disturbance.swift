import Testing

/// What may come before the redirect, and how it is answered.
struct Disturbance: Sendable, CustomTestStringConvertible {
    var name: String
    var status: Int
    var method = "GET"
    var target = "PATH?QUERY"
    var fields = ["Host: HOST"]
    var content = ""
    var testDescription: String { name }

    /// The text with the listener's own values in it.
    func filled(_ text: String, for listening: Listening) -> String {
        text.replacing("PATH?QUERY", with: listening.path + listening.query)
            .replacing("PATH", with: listening.path).replacing("STATE", with: listening.state)
            .replacing("BEGINNING", with: listening.state.dropLast())
            .replacing("HOST", with: "127.0.0.1:\(listening.port)").replacing("PORT", with: "\(listening.port)")
    }

    static let all = [
        Disturbance(name: "an icon", status: 404, target: "/favicon.ico"),
        Disturbance(name: "the root", status: 404, target: "/?code=x&state=STATE"),
        Disturbance(name: "a longer path", status: 404, target: "PATH/?code=x&state=STATE"),
        Disturbance(name: "an encoded path", status: 404, target: "/%63allback?code=x&state=STATE"),
        Disturbance(name: "no state", status: 400, target: "PATH?code=x"),
        Disturbance(name: "another state", status: 400, target: "PATH?code=x&state=bad"),
        Disturbance(name: "an empty state", status: 400, target: "PATH?code=x&state="),
        Disturbance(name: "the beginning of the state", status: 400, target: "PATH?code=x&state=BEGINNING"),
        Disturbance(name: "more than the state", status: 400, target: "PATH?code=x&state=STATEx"),
        Disturbance(name: "half a state", status: 400, target: "PATH?code=x&xstate=STATE"),
        Disturbance(name: "a forged error", status: 400, target: "PATH?error=access_denied"),
        Disturbance(name: "a forged error with a state", status: 400, target: "PATH?error=access_denied&state=bad"),
        Disturbance(name: "a state in the fragment", status: 400, target: "PATH?code=x#state=STATE"),
        Disturbance(name: "HEAD", status: 405, method: "HEAD"),
        Disturbance(name: "POST", status: 405, method: "POST", fields: ["Host: HOST", "Content-Length: 0"]),
        Disturbance(name: "PUT", status: 405, method: "PUT", fields: ["Host: HOST", "Content-Length: 0"]),
        Disturbance(
            name: "a preflight for private networks", status: 405, method: "OPTIONS",
            fields: [
                "Host: HOST", "Origin: https://evil.example", "Access-Control-Request-Method: GET",
                "Access-Control-Request-Private-Network: true",
            ]),
        Disturbance(name: "a prefetch", status: 403, fields: ["Host: HOST", "Sec-Purpose: prefetch;prerender"]),
        Disturbance(name: "an old prefetch", status: 403, fields: ["Host: HOST", "Purpose: prefetch"]),
        Disturbance(name: "a preview", status: 403, fields: ["Host: HOST", "X-Purpose: preview"]),
        Disturbance(name: "another host", status: 400, fields: ["Host: evil.example:PORT"]),
        Disturbance(name: "localhost", status: 400, fields: ["Host: localhost:PORT"]),
        Disturbance(name: "another port", status: 400, fields: ["Host: 127.0.0.1"]),
        Disturbance(name: "no host", status: 400, fields: ["Accept: */*"]),
        Disturbance(name: "two hosts", status: 400, fields: ["Host: HOST", "Host: HOST"]),
        Disturbance(
            name: "another host in the target", status: 400, target: "http://evil.example:PORT/callback?state=STATE"),
        Disturbance(
            name: "64 KiB of header", status: 431,
            fields: ["Host: HOST", "X: \(String(repeating: "x", count: 64 << 10))"]),
        Disturbance(name: "64 KiB of target", status: 414, target: "PATH?\(String(repeating: "x", count: 64 << 10))"),
        Disturbance(
            name: "a body", status: 413, method: "POST",
            fields: ["Host: HOST", "Content-Length: 70000"], content: String(repeating: "x", count: 70_000)),
    ]
}
