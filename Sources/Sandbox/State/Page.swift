internal import CSandboxTexts
internal import JOSE
internal import Wire

/// The pages for the user. None loads anything, and the only script is the one that sends a form by itself.
enum Page {
    /// The consent page. Afterwards the browser is redirected to `destination`, if there is one.
    static func consent(
        clientID: String, clientName: String?, name: String, scope: Scope, details: AuthorizationDetails,
        ticket: String, destination: WebURL?
    ) -> SandboxResponse {
        page(
            "Let \((clientName ?? clientID).shortened(to: longestName)) in?",
            question(
                clientID: clientID, clientName: clientName, name: name, asks: scope.values + details.types,
                ticket: ticket),
            destination: destination)
    }

    /// The consent page for a device, with the code to compare (RFC 8628 §3.3.1).
    static func deviceConsent(
        _ device: DeviceAuthorization, clientName: String?, name: String, ticket: String
    ) -> SandboxResponse {
        let question = question(
            clientID: device.clientID, clientName: clientName, name: name,
            asks: device.scope.values + device.details.types, ticket: ticket)
        return page(
            "Connect this device?",
            part("deviceConsent", ["code": escaped(device.message ?? device.userCode), "question": question]))
    }

    /// The most characters of a client's name on a page: nobody reads more before a decision.
    private static let longestName = 60

    /// Who asks whom for what, and the two buttons. Paths are relative: a proxy may have put its own in front.
    private static func question(
        clientID: String, clientName: String?, name: String, asks: [String], ticket: String
    ) -> String {
        // Anybody can register a name, so the identifier stands beside it.
        let client = clientName.map {
            "<strong>\(escaped($0.shortened(to: longestName)))</strong> (<code>\(escaped(clientID))</code>)"
        }
        let items = asks.map { "<li>\(escaped($0))</li>" }.joined(separator: "\n")
        let asks = asks.isEmpty ? "" : "<p>It asks for:</p>\n<ul>\n\(items)\n</ul>"
        return part(
            "question",
            [
                "name": escaped(name), "client": client ?? "<strong>\(escaped(clientID))</strong>", "asks": asks,
                "action": String(Path.consent.dropFirst()), "ticket": escaped(ticket),
            ])
    }

    /// The page to enter the code of a device; with a `problem`, why the code that was typed before is refused.
    static func deviceCode(_ typed: String = "", problem: Refusal? = nil) -> SandboxResponse {
        let value = typed.isEmpty ? "" : " value=\"\(escaped(typed.shortened(to: 40)))\""
        let problems = problem.map { "<p role=\"alert\">\(escaped($0.description.asSentence))</p>" } ?? ""
        return page(
            "Connect a device",
            part(
                "deviceCode", ["problem": problems, "action": String(Path.device.dropFirst()), "value": value]),
            status: problem?.status ?? 200)
    }

    static func deviceDone(_ device: DeviceAuthorization, allows: Bool) -> SandboxResponse {
        let name =
            "the device with the code <strong class=\"code\">\(escaped(device.message ?? device.userCode))</strong>"
        return page(
            allows ? "The device is connected" : "The device is refused",
            part("deviceDone", ["decision": allows ? "allowed \(name) to act for you" : "refused \(name)"]))
    }

    static func loggedOut() -> SandboxResponse { page("Signed out", "<p>You can close this page.</p>") }

    /// The error page, with the values that do not fit, for the developer of the client.
    static func error(_ refusal: Refusal) -> SandboxResponse {
        let values = refusal.evidence.map { entry in
            "<p>\(escaped(entry.label)):<br><code>\(escaped(entry.value.shortened(to: 300)))</code></p>"
        }
        return page(
            "This request cannot be granted",
            part(
                "error",
                [
                    "description": escaped(refusal.description.asSentence), "values": values.joined(separator: "\n"),
                    "error": escaped(refusal.error),
                ]), status: refusal.status)
    }

    /// The page whose form carries the authorization response (OAuth 2.0 Form Post Response Mode). It sends itself;
    /// the button is for a browser without scripts.
    static func formPost(to url: WebURL, _ parameters: [(name: String, value: String)]) -> SandboxResponse {
        let fields = parameters.map { pair in
            "<input type=\"hidden\" name=\"\(escaped(pair.name))\" value=\"\(escaped(pair.value))\">"
        }
        return page(
            "Back to the client",
            part(
                "formPost",
                ["action": escaped(url.text), "fields": fields.joined(separator: "\n"), "script": script]),
            destination: url, script: "script-src '\(scriptDigest)'; ")
    }
}

extension Page {
    private static func page(
        _ title: String, _ content: String, status: Int = 200, destination: WebURL? = nil, script: String = ""
    ) -> SandboxResponse {
        let html = part("page", ["title": escaped(title), "style": style, "content": content]) + "\n"
        // Browsers apply form-action to redirects after a form, too.
        let target = destination.map { $0.origin.isEmpty ? " \($0.scheme):" : " \($0.origin)" } ?? ""
        return SandboxResponse(
            status: status, type: "text/html; charset=utf-8",
            headers: [
                HTTPField(
                    "Content-Security-Policy",
                    "default-src 'none'; \(script)style-src '\(styleDigest)'; form-action 'self'\(target); "
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

    private static let script = "document.forms[0].submit()"

    private static let scriptDigest = "sha256-" + Base64.encode(Digest.sha256(Array(script.utf8)))

    private static let style = String(cString: oap_sandbox_text("style.css"))

    /// A part of `pages.html`, each of which has a comment with its name above it, with HTML in its places.
    private static func part(_ name: String, _ values: [String: String]) -> String {
        guard let part = parts[name] else { preconditionFailure("the pages have no part \(name)") }
        return part.filling(values)
    }

    private static let parts: [String: String] = {
        var (parts, name) = ([String: [Substring]](), "")
        for line in String(cString: oap_sandbox_text("pages.html")).split(separator: "\n") {
            if line.hasPrefix("<!-- ") {
                name = String(line.dropFirst(5).dropLast(4))
            } else {
                parts[name, default: []].append(line)
            }
        }
        return parts.mapValues { $0.joined(separator: "\n") }
    }()
}
