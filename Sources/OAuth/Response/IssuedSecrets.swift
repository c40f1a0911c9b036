internal import Wire

/// The secrets that a response of the authorization server issues, at whatever depth.
struct IssuedSecrets {
    private(set) var values: [String] = []

    /// The members that are secrets once they are issued (RFC 6749 §5.1, RFC 8628 §3.2, RFC 7592 §3).
    private static let names = ["access_token", "refresh_token", "id_token", "device_code"] + Member.issuedSecrets

    init(in content: JSON) { collect(from: content) }

    private mutating func collect(from value: JSON) {
        for element in value.array ?? [] { collect(from: element) }
        for member in value.object?.members ?? [] {
            if Self.names.contains(member.name), let text = member.value.string { values.append(text) }
            collect(from: member.value)
        }
    }
}
