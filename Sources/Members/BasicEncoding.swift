/// Whether identifier and secret are form-encoded for HTTP Basic, as RFC 6749 §2.3.1 says, or sent as they are
/// (`basic_encoding`).
package enum BasicEncoding: String, Sendable, CaseIterable {
    case form
    case raw
}
