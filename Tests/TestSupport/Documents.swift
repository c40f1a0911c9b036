import Testing
import Wire

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
}

extension JSONObject {
    /// The object as a program's standard input.
    package var input: Program.Input { .text(JSON.object(self).text + "\n") }

    /// This object with members added or replaced.
    package func with(_ more: JSONObject) -> JSONObject {
        more.members.reduce(into: self) { $0[$1.name] = $1.value }
    }
}

extension Responder {
    /// The document of a public client whose token endpoint is this responder.
    package var client: JSONObject { ["token_endpoint": .string(url("/token")), "client_id": "client"] }

    /// The same for a grant that a client without a secret must name its method for.
    package var machine: JSONObject { client.with(["token_endpoint_auth_method": "none"]) }

    /// A flow that is ready for `exchange`.
    package var flow: JSONObject {
        client.with([
            "code": "the-code", "redirect_uri": "http://127.0.0.1:1/cb",
            "code_verifier": "verifier-verifier-verifier-verifier-verifier",
        ])
    }

    /// A token document that is ready for `refresh` and `call`.
    package var token: JSONObject {
        client.with([
            "access_token": "old-access", "token_type": "Bearer", "refresh_token": "old-refresh",
            "api_base": .string(url("/api")),
        ])
    }
}

extension Responder.Reply {
    /// A token endpoint's plain answer.
    package static let token = Self.json(#"{"access_token":"new-access","token_type":"Bearer"}"#)
}

extension Responder.Request {
    /// The request line and the fields, but for the two that differ between versions of libcurl and of `oap`.
    package var lines: [String] {
        head.split(separator: "\r\n").map(String.init).filter {
            !$0.hasPrefix("User-Agent: oap/") && !$0.hasPrefix("Accept-Encoding: ")
        }
    }
}

extension ProgramResult {
    /// Records a failure when standard error has not this line.
    @discardableResult
    package func expect(errorLine line: String, sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        if !errorText.split(separator: "\n").contains(Substring(line)) {
            Issue.record("no line \"\(line)\"\n\(self)", sourceLocation: sourceLocation)
        }
        return self
    }

    /// Records a failure when either output has the text.
    @discardableResult
    package func expect(nowhere secret: String, sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        if text.contains(secret) || errorText.contains(secret) {
            Issue.record("\"\(secret)\" was shown\n\(self)", sourceLocation: sourceLocation)
        }
        return self
    }

    /// Records a failure when standard output is not this text.
    @discardableResult
    package func expect(output expected: String, sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        if text != expected {
            Issue.record("expected on standard output: \(expected)\n\(self)", sourceLocation: sourceLocation)
        }
        return self
    }

    /// Records a failure when standard error says anything.
    @discardableResult
    package func expectSilence(sourceLocation: SourceLocation = #_sourceLocation) -> ProgramResult {
        if !errorOutput.isEmpty { Issue.record("standard error is not empty\n\(self)", sourceLocation: sourceLocation) }
        return self
    }
}
