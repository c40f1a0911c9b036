import TestSupport
import Wire

/// An MCP server with its authorization server, as those of the conformance tests for clients: what a scenario does
/// not say is as there.
struct MCPServer: Sendable {
    /// Where the metadata of the resource is; nil for none.
    var resourcePath: String? = "/.well-known/oauth-protected-resource/mcp"
    /// Whether the challenge names it.
    var isNamed = true
    /// The scope of the challenge.
    var challenged: String?
    /// The resource that its metadata names, for another one.
    var resource: String?
    /// Further members of the metadata of the resource.
    var resourceMembers = ""
    /// Where the metadata of the authorization server is; nil for none.
    var serverPath: String? = "/.well-known/oauth-authorization-server"
    /// The path of its issuer and of its endpoints.
    var prefix = ""
    /// The issuer that its metadata names, for another one; `$` stands for the address.
    var issuer: String?
    /// How the client authenticates.
    var method = "none"
    /// Whether it registers clients.
    var registers = true
    /// Further members of its metadata.
    var serverMembers = #""authorization_response_iss_parameter_supported":true"#
    /// The `iss` of a redirect; `$` stands for the issuer.
    var iss: String? = "$"
    /// The scope that `tools/call` needs.
    var stepUp: String?
    /// Whether a token with that scope does not help.
    var refusesAlways = false

    /// Starts it. A token tells for which scope it was issued.
    func start() throws -> Responder { try Responder { answer($0) } }

    /// The answer to a request.
    func answer(_ request: Responder.Request) -> Responder.Reply {
        let address = "http://" + (request.headers.first("Host") ?? "")
        func json(_ text: String, status: Int = 200) -> Responder.Reply {
            .json("{\(text)}".replacing("$", with: address), status: status)
        }
        let issuer = (issuer ?? "$\(prefix)").replacing("$", with: address)
        switch request.target {
        case "/mcp" where request.method == "POST": return called(request, address)
        case resourcePath:
            let isRoot = resourcePath == "/.well-known/oauth-protected-resource"
            let own = resource ?? (isRoot ? "$" : "$/mcp")
            let members = #""resource":"\#(own)","authorization_servers":["$\#(prefix)"]"#
            return json(members + (resourceMembers.isEmpty ? "" : ",\(resourceMembers)"))
        case serverPath:
            var names = ["authorization_endpoint": "authorize", "token_endpoint": "token"]
            names["registration_endpoint"] = registers ? "register" : nil
            let endpoints = names.map { #""\#($0.key)":"$\#(prefix)/\#($0.value)""# }.joined(separator: ",")
            let methods = #""token_endpoint_auth_methods_supported":["\#(method)"]"#
            let challenges = #""code_challenge_methods_supported":["S256"]"#
            return json(#""issuer":"\#(issuer)",\#(endpoints),\#(methods),\#(challenges),\#(serverMembers)"#)
        case "\(prefix)/register" where registers:
            let secret = #","client_secret":"registered-secret","client_secret_expires_at":0"#
            return json(#""client_id":"registered""# + (method == "none" ? "" : secret), status: 201)
        case let target where target.hasPrefix("\(prefix)/authorize?"): return consent(to: request, of: issuer)
        case "\(prefix)/token":
            let form = (try? FormEncoding.parse(request.bodyText)) ?? []
            let scope = form.first { $0.name == "code" }?.value.dropFirst("code.".count) ?? ""
            let granted = scope.split(separator: ".").joined(separator: " ").replacing("_", with: ":")
            let shown = granted.isEmpty ? "" : #","scope":"\#(granted)""#
            return json(#""access_token":"at.\#(scope)","token_type":"Bearer","refresh_token":"rt"\#(shown)"#)
        default: return .text("", status: 404)
        }
    }

    private func consent(to request: Responder.Request, of issuer: String) -> Responder.Reply {
        let query = Self.query(of: request)
        let scope = (query["scope"] ?? "").replacing(":", with: "_").split(separator: " ").joined(separator: ".")
        let iss = iss.map { "&iss=" + FormEncoding.encode($0.replacing("$", with: issuer)) } ?? ""
        let target = "\(query["redirect_uri"] ?? "")?code=code.\(scope)&state=\(query["state"] ?? "")\(iss)"
        return .text("", status: 302, headers: ["Location: \(target)"])
    }

    private func called(_ request: Responder.Request, _ address: String) -> Responder.Reply {
        var challenge = #"Bearer realm="mcp""#
        if isNamed, let resourcePath { challenge += #", resource_metadata="\#(address)\#(resourcePath)""# }
        guard let token = request.headers.first("Authorization") else {
            challenge += challenged.map { #", scope="\#($0)""# } ?? ""
            return .text("", status: 401, headers: ["WWW-Authenticate: \(challenge)"])
        }
        let method = (try? JSON(parsing: request.bodyText))?.object?["method"]?.string ?? ""
        if let stepUp, method == "tools/call", refusesAlways || !token.contains(stepUp.replacing(":", with: "_")) {
            challenge += #", error="insufficient_scope", scope="\#(stepUp)""#
            return .text("", status: 403, headers: ["WWW-Authenticate: \(challenge)"])
        }
        return .json(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    }

    /// The parameters in the query of a request.
    static func query(of request: Responder.Request) -> [String: String] {
        let text = request.target.split(separator: "?", maxSplits: 1).last.map(String.init) ?? ""
        return ((try? FormEncoding.parse(text)) ?? []).reduce(into: [:]) { $0[$1.name] = $1.value }
    }
}

extension Responder {
    /// The authorization requests, with their parameters.
    var authorizations: [[String: String]] {
        requests.filter { $0.target.contains("/authorize?") }.map { MCPServer.query(of: $0) }
    }

    /// The registrations.
    var registrations: [JSONObject] {
        requests.filter { $0.target.hasSuffix("/register") }.compactMap { (try? JSON(parsing: $0.bodyText))?.object }
    }

    /// The token requests.
    var tokenRequests: [Responder.Request] { requests.filter { $0.target.hasSuffix("/token") } }
}
