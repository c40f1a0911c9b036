package import Wire

/// When a token ends, as other programs write it into documents: in milliseconds, as a date, in a member of another name.
/// `oap` itself writes whole seconds since 1970 into `expires_at`. A token whose end cannot be read is not good for ever:
/// ``RefreshDecision`` refuses it.
package enum TokenEnd {
    private static let own = ["expires_at", "refresh_token_expires_at", "authorization_expires_at"]

    /// The names of other programs for `expires_at`, without the characters between their words, and without `token` or
    /// `access_token` in front.
    private static let foreign: Set<String> = [
        "exp", "expires", "expiresat", "expireson", "expiresdate", "expirestime", "expiresatms", "expireat",
        "expiredate", "expiretime", "expiry", "expiryat", "expirydate", "expirytime", "expirytimestamp", "expiration",
        "expirationat",
        "expirationdate", "expirationtime", "expirationtimestamp", "validuntil",
    ]

    /// The end of the year 9999: what is greater is not in seconds.
    private static let lastSecond = 253_402_300_799.0

    /// A token document with its ends in seconds, as far as they can be read, and a warning for each that was not. Other
    /// documents are unchanged.
    package static func normalized(_ document: JSONObject) -> (document: JSONObject, warnings: [OAuthWarning]) {
        guard document.holds("access_token") || document.holds("refresh_token") else { return (document, []) }
        var (result, warnings) = (document, [OAuthWarning]())
        for name in own {
            guard let value = document[name], let end = End(value), end.form != nil || value.integer == nil else {
                continue
            }
            result[name] = end.seconds.map { .integer($0) }
            if let form = end.form { warnings.append(.other("\(name) is \(form): it is taken for seconds since 1970")) }
        }
        guard result["expires_at"]?.isNull ?? true else { return (result, warnings) }
        for name in foreignNames(in: document) {
            guard let value = document[name], let end = End(value) else { continue }
            // What no clock has shown since 2001 is a lifetime under this name, as the `expires` of a form.
            guard name != "expires" || end.form != nil || end.seconds.map({ $0 > 1_000_000_000 }) == true else {
                continue
            }
            result["expires_at"] = end.seconds.map { .integer($0) }
            warnings.append(.other("\(name) is taken for the expires_at of the token"))
            return (result, warnings)
        }
        // The answer of somebody else's request is as old as it says.
        for name in ["created_at", "issued_at", "obtained_at", ".issued"] {
            guard let lifetime = lifetime(of: document), let start = document[name].flatMap(End.init)?.seconds,
                start > 1_000_000_000
            else { continue }
            result["expires_at"] = .integer(start + lifetime)
            return (result, warnings + [.other("the lifetime of the token counts from its \(name)")])
        }
        return (result, warnings)
    }

    /// The lifetime in seconds that a token response gives, under its own name or that of an early draft, as a number or a
    /// string; nil without a positive one.
    package static func lifetime(of token: JSONObject) -> Int? {
        let value = token["expires_in"] ?? token["expires"]
        let seconds = value?.integer ?? value?.string.flatMap { JSON.number($0).integer }
        return seconds.flatMap { $0 > 0 ? min($0, Int(Int32.max)) : nil }
    }

    /// The members that say in the words of another program when the token ends.
    package static func foreignNames(in document: JSONObject) -> [String] {
        document.members.filter { !$0.value.isNull && isForeign($0.name) }.map(\.name)
    }

    /// The member that says when a token ends, and cannot be read; nil if there is none.
    package static func unreadable(in document: JSONObject) -> String? {
        if let name = own.first(where: { document[$0].map { !$0.isNull && End($0) == nil } ?? false }) { return name }
        guard document["expires_at"]?.isNull ?? true else { return nil }
        let names = foreignNames(in: document)
        return names.contains { document[$0].flatMap(End.init) != nil } ? nil : names.first
    }

    private static func isForeign(_ name: String) -> Bool {
        guard name.utf8.count < 32, name != "expires_at", !name.hasPrefix("_") else { return false }
        var letters = name.asciiLowercased
        letters.removeAll(where: \.isPunctuation)
        for start in ["access", "token"] where letters.hasPrefix(start) { letters.removeFirst(start.utf8.count) }
        return foreign.contains(letters)
    }

    /// What a member says, in seconds since 1970; nil for nothing that can be read.
    static func seconds(of value: JSON?) -> Int? { value.flatMap(End.init)?.seconds }

    /// The value of such a member.
    private struct End {
        /// Nil for the zero time of Go, which says that no end is known.
        let seconds: Int?
        /// The form of the value, if it is not in seconds.
        let form: String?

        init?(_ value: JSON) {
            if let text = value.string, let date = Timestamp(text)?.seconds ?? HTTPDate(text)?.seconds {
                (seconds, form) = (date == -62_135_596_800 ? nil : date, "a date")
                return
            }
            guard case .number(let text) = value.string.flatMap({ try? JSON(parsing: $0) }) ?? value,
                var number = Double(text)
            else { return nil }
            var units = ["in milliseconds", "in microseconds", "in nanoseconds"][...]
            var unit: String?
            while number.magnitude > lastSecond, let next = units.popFirst() { (number, unit) = (number / 1000, next) }
            guard number.magnitude <= lastSecond else { return nil }
            (seconds, form) = (Int(number.rounded(.down)), unit)
        }
    }
}
