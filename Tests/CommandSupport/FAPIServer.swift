import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// The authorization server and the API of the client tests of the OpenID Foundation's conformance suite for FAPI 2.0
/// Final (plain FAPI, OpenID Connect, each variant of client and token), as the descriptions of its modules say. It checks
/// what the suite checks in every module, and keeps the first complaint.
final class FAPIServer: Sendable {
    /// What the server does wrong, or otherwise than most.
    struct Fault: Sendable {
        var metadata: JSONObject = [:]
        /// Changes to the parameters of the authorization response, or the claims of its JWT; null takes one away.
        var response: JSONObject = [:]
        /// Changes to the claims of the ID token; `"+1"` at the end of the value there.
        var idToken: JSONObject = [:]
        var idTokenAlgorithm = "PS256"
        /// Changes to the token response.
        var tokens: JSONObject = [:]
        /// Whether the token type has small letters for capitals, and capitals for small letters.
        var invertsTokenType = false
        var scheme = "DPoP"
        var wantsNonce = true
        /// Whether the metadata has aliases, not the endpoints themselves, for a client with a certificate.
        var hasAliases = true
        var responseAlgorithm = "PS256"
        /// Whether the signature of a signed response is changed.
        var breaksSignature = false
        /// How often the API refuses the token, until it was renewed so often.
        var renewals = 0
    }

    private struct State {
        var request: [String: String] = [:]
        var complaint: String?
        var proofs: Set<String> = []
        var nonce = 0
        var renewals = 0
        var served = 0
    }

    private let responder: Box
    private let state = Mutex(State())
    private let fault: Fault
    private let variant: FAPIVariant
    private let folder: TemporaryDirectory

    private final class Box: Sendable {
        let server: Mutex<Responder?> = Mutex(nil)
        let gate: Mutex<FAPIGate?> = Mutex(nil)
    }

    var requests: [Responder.Request] { responder.server.withLock { $0?.requests ?? [] } }
    var issuer: String { responder.server.withLock { $0?.url() ?? "" } }
    /// The first thing that the client did wrong.
    var complaint: String? { state.withLock(\.complaint) }
    /// How often the API has answered with what was asked for.
    var served: Int { state.withLock(\.served) }

    /// Where a client with a certificate goes.
    private var gate: String { responder.gate.withLock { $0?.nginx.origin } ?? "https://127.0.0.1:1" }
    /// The options of the client for its certificate, if it has one.
    var options: [String] { responder.gate.withLock { $0?.options } ?? [] }
    /// The base of the API.
    var api: String { variant.binding == .certificate ? gate : issuer }

    init(_ fault: Fault, _ variant: FAPIVariant = .keys) throws {
        (self.fault, self.variant) = (fault, variant)
        folder = try TemporaryDirectory()
        responder = Box()
        for (name, key) in try Self.keys.get() { try folder.write(key, to: name) }
        let server = try Responder { [unowned self] request in (try? answer(request)) ?? .text("", status: 500) }
        responder.server.withLock { $0 = server }
        guard variant.hasCertificate else { return }
        try responder.gate.withLock { $0 = try FAPIGate(before: server) }
    }

    /// The keys of every server by the names of their files, which are made once.
    private static let keys = Result {
        let folder = try TemporaryDirectory()
        var files: [String: String] = [:]
        for (name, kind) in [("ps", "PS256"), ("rs", "RS256")] {
            files[name] = try jose(["jwk", "gen", "-i", #"{"alg":"\#(kind)","kid":"\#(name)"}"#])
            try folder.write(files[name] ?? "", to: name)
            files["\(name).pub"] = try jose(["jwk", "pub", "-i", folder.path(name)])
        }
        return files
    }

    private static func jose(_ arguments: [String]) throws -> String {
        try Program(path: "/usr/bin/jose", arguments: arguments).run().expect(status: 0).text
    }

    private func signed(_ claims: JSONObject, _ algorithm: String) throws -> String {
        let payload = JSON.object(claims).text
        guard algorithm != "none" else {
            return [#"{"alg":"none"}"#, payload].map { Base64.encodeURL(Array($0.utf8)) }.joined(separator: ".") + "."
        }
        let kid = algorithm == "RS256" ? "rs" : "ps"
        let name = "payload-\(UInt64.random(in: 0...UInt64.max))"
        try folder.write(payload, to: name)
        let header = #"{"protected":{"alg":"\#(algorithm)","kid":"\#(kid)"}}"#
        return try Self.jose(["jws", "sig", "-I", folder.path(name), "-k", folder.path(kid), "-s", header, "-c"])
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The members with changes: null takes one away, `"+1"` adds to the text that is there.
    private func changed(_ members: JSONObject, by changes: JSONObject) -> JSONObject {
        var result = members
        for change in changes.members {
            let old = members[change.name]?.string ?? ""
            result[change.name] = change.value.isNull ? nil : change.value == "+1" ? .string(old + "1") : change.value
        }
        return result
    }

    private func expect(_ isRight: Bool, _ what: String) {
        guard !isRight else { return }
        state.withLock { $0.complaint = $0.complaint ?? what }
    }

    private func answer(_ request: Responder.Request) throws -> Responder.Reply {
        let path = request.path
        switch path {
        case "/.well-known/openid-configuration": return .json(JSON.object(metadata).text)
        case "/keys":
            return .json(#"{"keys":[\#(try folder.read("ps.pub")),\#(try folder.read("rs.pub"))]}"#)
        case "/par": return try pushed(request)
        case "/authorize": return try authorized(request.target)
        case "/token": return try token(request)
        case "/userinfo", "/accounts": return try resource(request, path)
        default: return .text("", status: 404)
        }
    }

    private var metadata: JSONObject {
        let text = """
            {"issuer":"$","authorization_endpoint":"$/authorize","token_endpoint":"$/token","jwks_uri":"$/keys",\
            "userinfo_endpoint":"$/userinfo","pushed_authorization_request_endpoint":"$/par",\
            "require_pushed_authorization_requests":true,"authorization_response_iss_parameter_supported":true,\
            "id_token_signing_alg_values_supported":["PS256"],"authorization_signing_alg_values_supported":["PS256"],\
            "token_endpoint_auth_methods_supported":["\(variant.method)"],"code_challenge_methods_supported":["S256"],\
            "dpop_signing_alg_values_supported":["PS256","ES256","EdDSA"],"scopes_supported":["openid","accounts"]}
            """
        var standard = (try? JSON(parsing: text.replacing("$", with: issuer)))?.object ?? [:]
        standard["tls_client_certificate_bound_access_tokens"] = variant.binding == .certificate ? true : nil
        var aliases: JSONObject = [:]
        for (name, path) in [
            ("token_endpoint", "/token"), ("pushed_authorization_request_endpoint", "/par"),
            ("userinfo_endpoint", "/userinfo"),
        ] {
            aliases[name] = .string(gate + path)
            if !fault.hasAliases, variant.endpointsWithCertificate.contains(name) { standard[name] = aliases[name] }
        }
        standard["mtls_endpoint_aliases"] = fault.hasAliases ? .object(aliases) : nil
        return changed(standard, by: fault.metadata)
    }

    private func form(_ request: Responder.Request) throws -> [String: String] {
        try FormEncoding.parse(request.bodyText).reduce(into: [:]) { $0[$1.name] = $1.value }
    }

    private func claims(_ jwt: String?) -> JSONObject {
        let part = jwt?.split(separator: ".").dropFirst().first.flatMap { Base64.decodeURL(String($0)) }
        return part.flatMap { (try? JSON(parsing: $0))?.object } ?? [:]
    }

    /// Checks the certificate of a request (RFC 8705).
    private func checkCertificate(_ request: Responder.Request) {
        let refusal = responder.gate.withLock { $0.map { $0.client.refusal(of: request) } ?? "no certificate" }
        expect(refusal == nil, "the certificate at \(request.path): \(refusal ?? "")")
    }

    private func checkClient(_ request: Responder.Request, _ form: [String: String]) {
        expect(form["client_secret"] == nil && request.headers.first("Authorization") == nil, "a secret")
        guard variant.authentication == .key else {
            checkCertificate(request)
            return expect(form["client_id"] == "c" && form["client_assertion"] == nil, "client_id, or an assertion")
        }
        let assertion = claims(form["client_assertion"])
        expect(assertion["aud"] == .string(issuer), "the aud of the assertion is not the issuer as one string")
        expect(assertion["iss"] == "c" && assertion["sub"] == "c" && assertion["jti"] != nil, "iss, sub or jti")
    }

    private func pushed(_ request: Responder.Request) throws -> Responder.Reply {
        let form = try form(request)
        checkClient(request, form)
        var asked = form
        if let object = form["request"] {
            let claims = claims(object)
            asked = claims.members.reduce(into: [:]) { $0[$1.name] = $1.value.string ?? $1.value.text }
            expect(form["redirect_uri"] == nil && form["state"] == nil, "parameters beside the request object")
            expect(claims["iss"] == "c" && claims["aud"] == .string(issuer) && claims["sub"] == nil, "iss, aud or sub")
            let (start, end) = (claims["nbf"]?.integer ?? 0, claims["exp"]?.integer ?? 0)
            expect(start > 0 && end - start <= 60, "nbf or exp of the request object")
        }
        expect(asked["code_challenge_method"] == "S256" && asked["response_type"] == "code", "PKCE or response_type")
        expect((asked["dpop_jkt"] != nil) == (variant.binding == .key), "dpop_jkt")
        state.withLock { $0.request = asked }
        return .json(#"{"request_uri":"urn:r","expires_in":60}"#, status: 201)
    }

    private func authorized(_ target: String) throws -> Responder.Reply {
        let query = try FormEncoding.parse(String(target.drop { $0 != "?" }.dropFirst()))
        expect(
            Set(query.map(\.name)) == ["client_id", "request_uri"], "other parameters than client_id and request_uri")
        let asked = state.withLock { state in
            state.nonce += 1
            return state.request
        }
        var response: JSONObject = ["code": "the-code", "iss": .string(issuer)]
        response["state"] = asked["state"].map { .string($0) }
        let isSigned = asked["response_mode"]?.hasSuffix("jwt") == true
        if isSigned {
            response["aud"] = "c"
            response["exp"] = .integer(Int(Date().timeIntervalSince1970) + 600)
        }
        response = changed(response, by: fault.response)
        var pairs = response.members.map { (name: $0.name, value: $0.value.string ?? $0.value.text) }
        if isSigned {
            var text = try signed(response, fault.responseAlgorithm)
            if fault.breaksSignature {
                text = String(text.dropLast(6)) + (text.hasSuffix("AAAAAA") ? "BBBBBB" : "AAAAAA")
            }
            pairs = [("response", text)]
        }
        let redirect = "\(asked["redirect_uri"] ?? "")?\(FormEncoding.encode(pairs))"
        return .text("", status: 302, headers: ["Location: \(redirect)"])
    }

    /// Whether a proof is there, with the nonce that is wanted now; for tokens bound to the certificate, that.
    private func isProven(_ request: Responder.Request) -> Bool {
        guard variant.binding == .key else {
            checkCertificate(request)
            expect(request.headers.first("DPoP") == nil, "a DPoP proof")
            return true
        }
        guard let proof = Proof(request), let id = proof.id else {
            expect(false, "no DPoP proof at \(request.target)")
            return false
        }
        let isNew = state.withLock { $0.proofs.insert(id).inserted }
        expect(isNew, "a proof that was used before")
        let nonce = state.withLock(\.nonce)
        return !fault.wantsNonce || proof.nonce == "nonce-\(nonce)"
    }

    private func token(_ request: Responder.Request) throws -> Responder.Reply {
        let form = try form(request)
        checkClient(request, form)
        let nonce = "DPoP-Nonce: nonce-\(state.withLock(\.nonce))"
        guard isProven(request) else { return .json(#"{"error":"use_dpop_nonce"}"#, status: 400, headers: [nonce]) }
        let isRefresh = form["grant_type"] == "refresh_token"
        let (asked, count) = state.withLock { state in
            if isRefresh { state.renewals += 1 }
            return (state.request, state.renewals)
        }
        if isRefresh { expect(form["refresh_token"] == "rt-\(count - 1)", "not the newest refresh token") }
        if !isRefresh { expect(form["code"] == "the-code" && form["code_verifier"] != nil, "code or code_verifier") }
        let now = Int(Date().timeIntervalSince1970)
        var claims: JSONObject = [
            "iss": .string(issuer), "sub": "user", "aud": "c", "iat": .integer(now), "exp": .integer(now + 300),
        ]
        claims["nonce"] = isRefresh ? nil : asked["nonce"].map { .string($0) }
        var tokens: JSONObject = [
            "access_token": .string("at-\(count)"), "token_type": .string(variant.scheme), "expires_in": 300,
            "refresh_token": .string("rt-\(count)"),
        ]
        if fault.invertsTokenType { tokens["token_type"] = variant.binding == .key ? "dpOp" : "bEARER" }
        tokens["id_token"] = .string(try signed(changed(claims, by: fault.idToken), fault.idTokenAlgorithm))
        return .json(JSON.object(changed(tokens, by: fault.tokens)).text)
    }

    private func resource(_ request: Responder.Request, _ path: String) throws -> Responder.Reply {
        let field = request.headers.first("Authorization") ?? ""
        expect(field.hasPrefix("\(variant.scheme) at-"), "the token is not sent as \(variant.scheme)")
        let isAtGate = request.headers.first("X-Client-Verify") != nil
        expect(path == "/userinfo" || isAtGate == (variant.binding == .certificate), "another host of the API")
        guard isProven(request) else {
            return .text(
                "", status: 401,
                headers: [
                    "WWW-Authenticate: \(fault.scheme) error=\"use_dpop_nonce\", error_description=\"x\"",
                    "DPoP-Nonce: nonce-\(state.withLock(\.nonce))",
                ])
        }
        guard state.withLock(\.renewals) >= fault.renewals else {
            return .text("", status: 401, headers: ["WWW-Authenticate: \(variant.scheme) error=\"invalid_token\""])
        }
        if path == "/accounts" { state.withLock { $0.served += 1 } }
        return .json(#"{"sub":"user","accounts":[]}"#)
    }
}
