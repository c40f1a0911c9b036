import TestSupport
import Testing
import Wire

@testable import OAuth

extension VectorCase {
    /// The HTTP response that the case describes: `status`, `content_type`, `headers`, and the content as `body`,
    /// `body_raw`, `raw_hex` or `raw_repeat`.
    func response() throws -> EndpointResponse {
        var headers = (self["headers"]?.object?.members ?? []).map { HTTPField($0.name, $0.value.string ?? "") }
        let type = self["content_type"]?.string ?? "application/json"
        if type != "__absent__" { headers.append(HTTPField("Content-Type", type)) }
        let head = HTTPResponseHead(status: self["status"]?.integer ?? 200, headers: headers)
        return EndpointResponse(head: head, body: try content())
    }

    private func content() throws -> [UInt8] {
        let prefix = try self["body_prefix_hex"]?.string.map(Self.bytes(hex:)) ?? []
        if let raw = self["body_raw"]?.string { return prefix + Array(raw.utf8) }
        if let hex = self["raw_hex"]?.string { return prefix + (try Self.bytes(hex: hex)) }
        if let repeated = self["raw_repeat"]?.object {
            let unit = try #require(repeated["unit"]?.string)
            let count = try #require(repeated["count"]?.integer)
            return Array((try #require(repeated["prefix"]?.string) + String(repeating: unit, count: count)).utf8)
        }
        // Of these alone the content means nothing, so that their cases may leave it out.
        let isMeaningless = self["endpoint"] != nil || (300..<400).contains(self["status"]?.integer ?? 200)
        if isMeaningless, self["body"] == nil { return prefix }
        return prefix + (try #require(self["body"] ?? self["response"])).bytes
    }

    private static func bytes(hex: String) throws -> [UInt8] {
        try stride(from: 0, to: hex.count, by: 2).map { offset in
            try #require(UInt8(hex.dropFirst(offset).prefix(2), radix: 16))
        }
    }

    /// Expects that a step fails as the case says: `kind`, `error`, `error_description`, `member` or `param`,
    /// `retry_after`.
    @discardableResult
    func expectFailure<Value>(of step: () throws -> Value) -> OAuthError? {
        let error = #expect(throws: OAuthError.self) { try step() }
        guard let error else { return nil }
        #expect(error.kind.name == self["kind"]?.string)
        if let code = self["error"]?.string { #expect(error.code == code) }
        if let description = self["error_description"]?.string { #expect(error.codeDescription == description) }
        if let member = (self["member"] ?? self["param"])?.string { #expect(error.member == member) }
        if let seconds = self["retry_after"]?.integer { #expect(error.retryAfter == seconds) }
        return error
    }

    /// Expects the warning that the case names, or none.
    func expectWarnings(_ warnings: [OAuthWarning]) {
        #expect(warnings.map(\.name) == (self["warning"]?.string).map { [$0] } ?? [])
    }
}

extension EndpointResponse {
    /// A response of a head and a body.
    init(head: HTTPResponseHead, body: [UInt8]) { self.init(HTTPResponse(head: head, body: body)) }
}
