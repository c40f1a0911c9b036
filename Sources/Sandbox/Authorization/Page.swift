internal import JOSE
internal import Wire

/// The pages for the user. None has a script or loads anything.
enum Page {
    /// The consent page.
    ///
    /// - Parameter destination: where the browser is redirected afterwards; nil if it is not.
    static func consent(clientID: String, scope: Scope, ticket: String, destination: WebURL?) -> SandboxResponse {
        let items = scope.values.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n")
        let asks = scope.values.isEmpty ? "" : "<p>It asks for:</p>\n<ul>\n\(items)\n</ul>"
        let form = """
            <form method="post" action="\(Path.consent)">
            <input type="hidden" name="ticket" value="\(escaped(ticket))">
            <button name="decision" value="allow" class="primary">Allow</button>
            <button name="decision" value="deny">Deny</button>
            </form>
            """
        return page(
            "Let \(clientID) in?",
            """
            <p>You are signed in as <strong>\(Person.name)</strong>.</p>
            <p>The client <strong>\(escaped(clientID))</strong> wants to act for you.</p>
            \(asks)
            \(form)
            """, destination: destination)
    }

    /// The page to enter the code of a device.
    static func deviceCode() -> SandboxResponse {
        page(
            "Connect a device",
            """
            <form method="get" action="\(Path.device)">
            <p><label>The code that the device shows<br>
            <input name="user_code" autocomplete="off" autocapitalize="characters" autofocus required></label></p>
            <button class="primary">Continue</button>
            </form>
            """)
    }

    /// The page after the decision about a device.
    static func deviceDone(allows: Bool) -> SandboxResponse {
        page(
            allows ? "The device is connected" : "The device was refused",
            "<p>You can close this page and go back to the device.</p>")
    }

    /// The page after the end of a session.
    static func loggedOut() -> SandboxResponse { page("Signed out", "<p>You can close this page.</p>") }

    /// The error page.
    static func error(_ refusal: Refusal) -> SandboxResponse {
        page(
            "This request cannot be granted",
            "<p>\(escaped(refusal.description)).</p>\n<p><code>\(escaped(refusal.error))</code></p>",
            status: refusal.status)
    }

    /// The page whose form carries the authorization response (OAuth 2.0 Form Post Response Mode). Without a script,
    /// the user must press a button.
    static func formPost(to url: WebURL, _ parameters: [(name: String, value: String)]) -> SandboxResponse {
        let fields = parameters.map { pair in
            "<input type=\"hidden\" name=\"\(escaped(pair.name))\" value=\"\(escaped(pair.value))\">"
        }
        return page(
            "Back to the client",
            """
            <form method="post" action="\(escaped(url.text))">
            \(fields.joined(separator: "\n"))
            <button class="primary" autofocus>Continue</button>
            </form>
            """, destination: url)
    }
}

extension Page {
    private static func page(
        _ title: String, _ content: String, status: Int = 200, destination: WebURL? = nil
    ) -> SandboxResponse {
        let html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <title>\(escaped(title))</title>
            <style>\(style)</style>
            </head>
            <body>
            <main>
            <h1>\(escaped(title))</h1>
            \(content)
            <footer>oap-sandbox: a server for tests, on this machine alone</footer>
            </main>
            </body>
            </html>

            """
        // Browsers apply form-action to redirects after a form, too.
        let target = destination.map { $0.origin.isEmpty ? " \($0.scheme):" : " \($0.origin)" } ?? ""
        return SandboxResponse(
            status: status, type: "text/html; charset=utf-8",
            headers: [
                HTTPField(
                    "Content-Security-Policy",
                    "default-src 'none'; style-src '\(styleDigest)'; form-action 'self'\(target); "
                        + "frame-ancestors 'none'; base-uri 'none'"),
                HTTPField("Referrer-Policy", "same-origin"), HTTPField("X-Content-Type-Options", "nosniff"),
                HTTPField("X-Frame-Options", "DENY"),
            ], content: .bytes(Array(html.utf8)))
    }

    /// Text between tags or in an attribute's quotes.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }

    /// The only style that the policy allows.
    private static let styleDigest = "sha256-" + Base64.encode(Digest.sha256(Array(style.utf8)))

    private static let style = """

        :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
        body { margin: 0; display: grid; min-height: 100vh; place-items: center; background: Canvas; color: CanvasText; }
        main { width: min(26rem, 100vw - 3rem); }
        h1 { font-size: 1.4rem; overflow-wrap: anywhere; }
        ul { padding-left: 1.2rem; }
        button, input { font: inherit; padding: .5rem 1.2rem; border-radius: .4rem; border: 1px solid GrayText; }
        button.primary { background: #1a56db; border-color: #1a56db; color: #fff; }
        footer { margin-top: 2.5rem; font-size: .8rem; color: GrayText; }

        """
}
