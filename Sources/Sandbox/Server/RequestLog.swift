package import Wire

extension SandboxServer {
    /// The fault that changed nothing in the response to the last request, since that has no such member.
    package var idleFault: String? { trace.hasIdleFault ? trace.fault : nil }

    /// The faults that have changed no response so far: a test with one proves nothing.
    package var unusedFaults: [String] {
        settings.faults.indices.filter { !faults.used.contains($0) }.map { settings.faults[$0].text }
    }

    /// The line of the log for the request that has just been answered. Only parameters that are known to be harmless
    /// are shown with their values.
    package func logEntry(_ request: SandboxRequest, _ response: SandboxResponse) -> JSONObject {
        let pairs = Self.parameters(of: request)
        let error = trace.refusal.map { [("error", $0.error), ("error_description", $0.description)] }
        let answered = error ?? Self.redirectParameters(in: response) ?? Self.errorMembers(of: response)
        func value(_ name: String, of pairs: [(name: String, value: String)]) -> JSON? {
            pairs.first { $0.name == name }.map { .string($0.value) }
        }
        var entry: JSONObject = [
            "time": .integer(now), "method": .string(request.method), "path": .string(request.path),
            "status": response.content == .reset ? .null : .integer(response.status),
        ]
        entry["client"] = trace.clientID.map { .string($0) } ?? value("client_id", of: pairs)
        entry["grant_type"] = value("grant_type", of: pairs)
        entry["authorization"] = request.headers.first("Authorization").map { field in
            .string(field.prefix { $0 != " " } + " ***")
        }
        for (name, pairs) in [("parameters", pairs), ("request_object", trace.requestObject)] where !pairs.isEmpty {
            var parameters = JSONObject()
            for pair in pairs { parameters[pair.name] = .string(Self.shown.contains(pair.name) ? pair.value : "***") }
            entry[name] = .object(parameters)
        }
        for name in ["error", "error_description"] { entry[name] = value(name, of: answered) }
        entry["fault"] = trace.fault.map { .string($0) }
        return entry
    }

    /// The parameters that hold no secret.
    private static let shown: Set<String> = [
        "acr_values", "aud", "audience", "client_assertion_type", "client_id", "code_challenge_method", "cursor",
        "decision", "dpop_jkt", "exp", "grant_type", "iat", "iss", "login_hint", "max_age", "nbf", "page", "per_page",
        "post_logout_redirect_uri", "prompt",
        "redirect_uri", "requested_token_type", "resource", "response_mode", "response_type", "scope",
        "subject_token_type", "token_type_hint",
    ]

    private static func parameters(of request: SandboxRequest) -> [(name: String, value: String)] {
        let isForm = request.headers.first("Content-Type").map { MediaType($0).isForm } ?? false
        return [request.query, isForm ? String(decoding: request.body, as: UTF8.self) : nil].flatMap { text in
            text.flatMap { try? FormEncoding.parse($0) } ?? []
        }
    }

    private static func redirectParameters(in response: SandboxResponse) -> [(name: String, value: String)]? {
        guard let location = response.headers.first("Location"),
            let start = location.firstIndex(where: { "?#".contains($0) })
        else { return nil }
        return (try? FormEncoding.parse(String(location[location.index(after: start)...]))) ?? []
    }

    private static func errorMembers(of response: SandboxResponse) -> [(name: String, value: String)] {
        guard response.status >= 400, case .bytes(let bytes) = response.content else { return [] }
        let members = (try? JSON(parsing: bytes))?.object?.members ?? []
        return members.compactMap { member in member.value.string.map { (member.name, $0) } }
    }
}
