internal import Wire

/// The issuers of a server with an issuer for each tenant, which `id_token_issuer` of a document describes: Microsoft
/// Entra, where `common` or a domain stands for a tenant, and ID tokens and metadata name the tenant's UUID.
struct TenantIssuer: Sendable {
    private let prefix: Substring
    private let suffix: Substring

    private static let place = "{TID}"
    private static let placeInMetadata = "{tenantid}"

    /// Nil without the member, and where the issuer of the document is that of one tenant, or of another server.
    init?(of document: Document) throws(OAuthError) {
        let name = "id_token_issuer"
        guard let template = try document.string(name), let issuer = try document.string("issuer") else { return nil }
        guard let place = template.firstRange(of: Self.place) else {
            throw document.invalid(name, "has no \(Self.place)")
        }
        (prefix, suffix) = (template[..<place.lowerBound], template[place.upperBound...])
        guard let tenant = tenant(in: issuer), !Self.isUUID(tenant) else { return nil }
    }

    /// The issuer of the tenant that a claim names; nil if it names none.
    func issuer(of tenant: JSON?) -> String? { tenant?.string.flatMap { Self.isUUID($0) ? prefix + $0 + suffix : nil } }

    /// Whether metadata with this issuer is that of the server.
    func isOfServer(_ issuer: String) -> Bool { isTenant(issuer) || tenant(in: issuer) == Self.placeInMetadata }

    func isTenant(_ issuer: String) -> Bool { tenant(in: issuer).map { Self.isUUID($0) } ?? false }

    private func tenant(in issuer: String) -> String? {
        guard issuer.hasPrefix(prefix), issuer.hasSuffix(suffix),
            issuer.utf8.count > prefix.utf8.count + suffix.utf8.count
        else { return nil }
        return String(issuer.dropFirst(prefix.count).dropLast(suffix.count))
    }

    /// Whether a text is a UUID (RFC 9562 §4).
    private static func isUUID(_ text: some StringProtocol) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [8, 4, 4, 4, 12]
            && parts.joined().utf8.allSatisfy { $0.isASCIILetterOrDigit && ($0 | 0x20) <= UInt8(ascii: "f") }
    }
}
