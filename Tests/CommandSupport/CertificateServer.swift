import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// An authorization server and an API behind nginx, which judge the client by its certificate. The endpoints of the
/// metadata are plain and for nobody but browsers: a client with a certificate must go to their aliases.
///
/// Access tokens say which certificate they are bound to, and the API takes them with no other.
final class CertificateServer {
    let certificates: ClientCertificates
    private let responder: Responder
    private let nginx: Nginx

    init(_ method: RegisteredCertificate.Method, required: Bool = false) throws {
        certificates = try ClientCertificates()
        let judge = CertificateJudge(client: try RegisteredCertificate(method, in: certificates))
        responder = try Responder { judge.answer($0) }
        nginx = try Nginx(
            .passes(
                to: responder.port, asking: required ? .required : method.rule, authority: certificates.path("ca")),
            ports: 2)
    }

    /// The base of the API.
    var api: String { nginx.origins[1] }

    /// The options that trust the server.
    var trust: [String] { ["--cacert", nginx.certificate] }

    /// What came, in order: the path, and what the server said of the certificate; what needs none is left out.
    var verdicts: [String] {
        responder.requests.filter { CertificateJudge.judged.contains($0.path) }.map {
            "\($0.path) \($0.certificate == nil ? "none" : "certificate")"
        }
    }

    /// The bodies of the requests that authenticate.
    var forms: [[String: String]] {
        get throws {
            try responder.requests.filter { CertificateJudge.authenticated.contains($0.path) }.map { request in
                try FormEncoding.parse(request.bodyText).reduce(into: [:]) { $0[$1.name] = $1.value }
            }
        }
    }

    /// The document of the client, with the server's metadata.
    var client: JSONObject {
        var document: JSONObject = [
            "client_id": "c", "redirect_uri": "http://127.0.0.1:0/cb", "scope": "read",
            "issuer": .string(responder.url()), "authorization_endpoint": .string(responder.url("/authorize")),
        ]
        var aliases: JSONObject = [:]
        for (name, path) in CertificateJudge.endpoints {
            document[name] = .string(responder.url(path))
            aliases[name] = .string(nginx.origin + path)
        }
        document["mtls_endpoint_aliases"] = .object(aliases)
        return document
    }

    /// The same for a client without a certificate, who goes to the aliases nevertheless.
    var reached: JSONObject {
        client.with(client["mtls_endpoint_aliases"]?.object ?? [:]).with(["cacert_file": .string(nginx.certificate)])
    }

    /// The same with the certificate of this name.
    func client(with name: String) -> JSONObject {
        client.with([
            "tls_client_certificate_file": .string(certificates.path(name)),
            "tls_client_key_file": .string(certificates.path(name, "key")),
            "cacert_file": .string(nginx.certificate),
        ])
    }
}

/// What the server does with a request that nginx has passed on.
private final class CertificateJudge: Sendable {
    private let client: RegisteredCertificate
    /// The form of the request that was pushed last.
    private let pushed = Mutex<[String: String]>([:])

    init(client: RegisteredCertificate) { self.client = client }

    static let endpoints = [
        ("token_endpoint", "/token"), ("pushed_authorization_request_endpoint", "/par"),
        ("device_authorization_endpoint", "/device"), ("backchannel_authentication_endpoint", "/ciba"),
        ("introspection_endpoint", "/introspect"), ("revocation_endpoint", "/revoke"),
        ("userinfo_endpoint", "/userinfo"),
    ]
    static let authenticated = Set(endpoints.map(\.1)).subtracting(["/userinfo"])
    static let judged = authenticated.union(["/userinfo", "/api"])

    func answer(_ request: Responder.Request) -> Responder.Reply {
        if Self.authenticated.contains(request.path) { return authenticated(request) }
        switch request.path {
        case "/authorize": return consent()
        case "/userinfo", "/api": return resource(request)
        default: return .text("", status: 404)
        }
    }

    private func authenticated(_ request: Responder.Request) -> Responder.Reply {
        let form = (try? FormEncoding.parse(request.bodyText))?.reduce(into: [:]) { $0[$1.name] = $1.value } ?? [:]
        let isNamed = form["client_id"] == "c" && request.headers.first("Authorization") == nil
        if let reason = isNamed ? client.refusal(of: request) : "not named, or not by its certificate alone" {
            return .json(
                #"{"error":"invalid_client","error_description":"the judge says: \#(reason)"}"#, status: 401)
        }
        switch request.path {
        case "/par":
            pushed.withLock { $0 = form }
            return .json(#"{"request_uri":"urn:r","expires_in":60}"#, status: 201)
        case "/introspect": return .json(#"{"active":true,"client_id":"c"}"#)
        case "/revoke": return .text("")
        case "/device":
            let page = #""verification_uri":"https://as.example/d","expires_in":60,"interval":1"#
            return .json(#"{"device_code":"d","user_code":"u",\#(page)}"#)
        case "/ciba": return .json(#"{"auth_req_id":"r","expires_in":60,"interval":1}"#)
        default: return .json(token(for: request, isOpaque: form["scope"] == "opaque"))
        }
    }

    /// A token that says which certificate it is bound to; one that is opaque says so to the API alone.
    private func token(for request: Responder.Request, isOpaque: Bool) -> String {
        let thumbprint = request.thumbprint ?? ""
        let claims = Base64.encodeURL(Array(#"{"cnf":{"x5t#S256":"\#(thumbprint)"}}"#.utf8))
        let token = isOpaque ? "opaque-\(thumbprint)" : "eyJhbGciOiJFUzI1NiJ9.\(claims).AA"
        return #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":300,"refresh_token":"rt"}"#
    }

    private func consent() -> Responder.Reply {
        let form = pushed.withLock(\.self)
        let answer = FormEncoding.encode([("code", "the-code"), ("state", form["state"] ?? "")])
        return .text("", status: 302, headers: ["Location: \(form["redirect_uri"] ?? "")?\(answer)"])
    }

    private func resource(_ request: Responder.Request) -> Responder.Reply {
        let field = request.headers.first("Authorization") ?? ""
        let parts = field.split(separator: ".").map(String.init)
        let claims = parts.count == 3 ? Base64.decodeURL(parts[1]).flatMap { try? JSON(parsing: $0) } : nil
        let opaque = field.hasPrefix("Bearer opaque-") ? String(field.dropFirst("Bearer opaque-".count)) : nil
        let bound = claims?.object?["cnf"]?.object?["x5t#S256"]?.string ?? opaque
        guard let bound, bound == request.thumbprint else {
            return .text("", status: 401, headers: [#"WWW-Authenticate: Bearer error="invalid_token""#])
        }
        return .json(#"{"sub":"user","name":"Ada"}"#)
    }
}
