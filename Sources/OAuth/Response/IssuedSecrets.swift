internal import Wire

/// The secrets that a response of the authorization server issues, at whatever depth: for a redactor, before anything else
/// is done with the response.
package struct IssuedSecrets {
    /// The values.
    package private(set) var values: [String] = []

    /// The members that are secrets once they are issued (RFC 6749 §5.1, RFC 8628 §3.2).
    private static let names = ["access_token", "refresh_token", "id_token", "device_code", "client_secret"]

    /// Looks for them in content that is JSON or a form; anything else has none.
    package init(in content: [UInt8]) {
        if let value = try? JSON(parsing: content) {
            collect(from: value)
        } else if let pairs = try? FormEncoding.parse(String(decoding: content, as: UTF8.self)) {
            values = pairs.filter { Self.names.contains($0.name) }.map(\.value)
        }
    }

    private mutating func collect(from value: JSON) {
        for element in value.array ?? [] { collect(from: element) }
        for member in value.object?.members ?? [] {
            if Self.names.contains(member.name), let text = member.value.string { values.append(text) }
            collect(from: member.value)
        }
    }
}
