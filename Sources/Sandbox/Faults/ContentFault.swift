internal import JOSE
internal import Wire

/// Responses with another content than a good server's.
extension SandboxServer {
    /// What becomes of a member of this name and value; nil if it is taken away.
    typealias Change = (_ name: String, _ value: JSON) -> JSON?

    /// A response in which one member of the JSON object, or one parameter of the redirect, is changed. `id_token.aud`
    /// is a claim of the ID token; `id_token.alg` and `id_token.signature` are about its signature.
    func changed(_ response: SandboxResponse, _ name: String, to change: Change) -> SandboxResponse {
        var changed = response
        if let location = response.headers.first("Location") {
            changed.headers.removeAll { $0.name == "Location" }
            changed.headers.append(HTTPField("Location", redirect(location, name, to: change)))
        } else if case .bytes(let bytes) = response.content, !bytes.isEmpty {
            changed.content = .bytes(Array(content(String(decoding: bytes, as: UTF8.self), name, to: change).utf8))
        }
        let isPage = response.headers.first("Content-Type").map { MediaType($0).essence == "text/html" } ?? false
        let isSame = changed.content == response.content
        let isSameRedirect = changed.headers.first("Location") == response.headers.first("Location")
        trace.hasIdleFault = isSame && isSameRedirect && response.status < 400 && !isPage
        return changed
    }

    /// The content of a response: a JSON object, a page with a form, or a form.
    private func content(_ text: String, _ name: String, to change: Change) -> String {
        if var members = (try? JSON(parsing: text))?.object {
            let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
            if parts.count == 2, parts[0] == "id_token", let token = members["id_token"]?.string {
                members["id_token"] = .string(idToken(token, parts[1], to: change))
            } else if let value = members[name] {
                members[name] = change(name, value)
            }
            return JSON.object(members).text
        }
        return text.hasPrefix("<") ? page(text, name, to: change) : form(text, name, to: change)
    }

    /// A page whose form carries the authorization response.
    private func page(_ text: String, _ name: String, to change: Change) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).compactMap { line -> String? in
            let start = "<input type=\"hidden\" name=\"\(name)\" value=\""
            guard line.hasPrefix(start) else { return String(line) }
            let value = String(line.dropFirst(start.count).dropLast(2))
            return change(name, .string(value)).map { "\(start)\($0.string ?? $0.text)\">" }
        }
        return lines.joined(separator: "\n")
    }

    private func form(_ text: String, _ name: String, to change: Change) -> String {
        let pairs = (try? FormEncoding.parse(text)) ?? []
        let changed = pairs.compactMap { pair -> (name: String, value: String)? in
            guard pair.name == name else { return pair }
            return change(name, .string(pair.value)).map { (name, $0.string ?? $0.text) }
        }
        return FormEncoding.encode(changed)
    }

    private func redirect(_ location: String, _ name: String, to change: Change) -> String {
        guard let start = location.firstIndex(where: { "?#".contains($0) }) else { return location }
        return location[...start] + form(String(location[location.index(after: start)...]), name, to: change)
    }

    /// The ID token with a changed claim, signed again; or with another signature.
    private func idToken(_ text: String, _ name: String, to change: Change) -> String {
        let parts = text.split(separator: ".").map(String.init)
        guard let token = try? JSONWebSignature(parsing: text), parts.count == 3,
            var claims = (try? JSON(parsing: token.payload))?.object,
            let algorithm = SignatureAlgorithm(named: token.algorithmName)
        else { return text }
        switch name {
        case "alg":
            let header: JSONObject = ["alg": .string("none"), "typ": .string("JWT")]
            return "\(Base64.encodeURL(JSON.object(header).bytes)).\(parts[1])."
        case "signature":
            guard change(name, .string(parts[2])) != nil else { return "\(parts[0]).\(parts[1])." }
            let other = Base64.decodeURL(parts[2]).map { [$0[0] ^ 1] + $0.dropFirst() } ?? []
            return "\(parts[0]).\(parts[1]).\(Base64.encodeURL(other))"
        default:
            guard let value = claims[name] else { return text }
            claims[name] = change(name, value)
            return (try? keys.sign(claims, algorithm: algorithm)) ?? text
        }
    }

    /// Another value, which a client must refuse or take into account: a time in the past, a narrower scope, another
    /// server.
    func wrong(_ name: String, _ value: JSON) -> JSON? {
        switch (name, value) {
        case ("exp", _): return .integer(now - 3600)
        case ("iat", _), ("nbf", _): return .integer(now + 86_400)
        case ("token_type", _): return .string("mac")
        case ("scope", .string(let text)):
            let values = text.split(separator: " ")
            return .string(values.count > 1 ? values.dropLast().joined(separator: " ") : "other")
        case (_, .string(let text)) where text.contains("://"): return .string("https://wrong.example")
        case (_, .string(let text)): return .string("wrong-\(text)")
        case (_, .number(let digits)): return .string(digits)
        case (_, .bool(let bool)): return .bool(!bool)
        default: return .null
        }
    }
}
