internal import Wire

/// What servers say of a refresh token that does not work any more, or of a sign-in that is over, where RFC 6749 §5.2 wants
/// `invalid_grant`. Every list is compared without case, and with nothing but letters and digits.
enum TokenRefusal {
    /// Codes that say so wherever they stand. An `invalid_code` is Zoho's.
    private static let codes: Set<String> = [
        "invalidgrant", "invalidtoken", "expiredtoken", "invalidcode", "badrefreshtoken", "invalidrefreshtoken",
        "loginrequired", "interactionrequired", "consentrequired", "accountselectionrequired", "reauthrequired",
        "reauthenticationrequired", "mfarequired", "invalidrapt",
    ]
    /// Codes that are about something else, whatever the words beside them are.
    private static let others: Set<String> = [
        "invalidclient", "invalidscope", "invalidtarget", "unsupportedgranttype", "unsupportedtokentype",
        "invaliddpopproof", "usedpopnonce", "temporarilyunavailable", "servererror", "slowdown",
    ]
    /// Numbers of Microsoft Entra ID (`AADSTS70008: …`) that a login mends. Its other numbers are about something else.
    private static let entra: Set<String> = [
        "16000", "50055", "50072", "50074", "50076", "50078", "50079", "50089", "50129", "50132", "50133", "50144",
        "50158", "50173", "53000", "53001", "53002", "53003", "65001", "65004", "70000", "70008", "70043", "135011",
        "700003", "700081", "700082", "700084",
    ]
    /// Numbers beside a message, with their members: of Facebook, WeChat and Weibo.
    private static let numbers = [
        "190": ["code"], "40030": ["errcode"], "42002": ["errcode"], "21327": ["error_code"],
    ]

    /// Words about the client: such a refusal is not of the token.
    private static let ofClient = ["client", "assertion"]
    /// Sentences that say it without naming a token.
    private static let sentences = [
        "loginagain", "signinagain", "reauthenticat", "reauthoriz", "reauthoris", "authorizationrevoked",
        "authorizationhasbeenrevoked", "accessrevoked", "accesshasbeenrevoked", "revokedaccess", "jwtexpired",
    ]
    /// Words about the form of the request, or the state of the server.
    private static let ofRequest = [
        "missing", "isrequired", "requiredparam", "notprovided", "notsupport", "unsupported", "notallowed",
        "notenabled", "granttype", "tokentype", "contenttype", "scope", "application", "secret", "csrf", "apitoken",
        "header", "proof", "nonce", "unexpected", "duplicate", "morethanonce", "toomany", "ratelimit", "temporar",
        "tryagainlater",
    ]
    private static let nouns = ["token", "grant", "session", "consent"]
    private static let faults = [
        "expired", "revoked", "invalid", "notvalid", "nolonger", "unknown", "notfound", "foundno", "notexist",
        "inactive", "notactive", "alreadyused", "beenused", "wasused", "reuse", "rotated", "notrecogni", "unrecogni",
        "incorrect", "wrong", "terminated", "hasended", "loggedout", "deleted", "withdrawn",
    ]

    /// Whether a refusal says so.
    ///
    /// - Parameters:
    ///   - code: its error code; nil for none.
    ///   - content: what else was sent: a document, or a plain text.
    ///   - standard: the codes of standards, which are no words about a token.
    static func isNamed(code: String?, in content: JSON, besides standard: Set<String>) -> Bool {
        let code = code.map(squeezed) ?? ""
        guard !others.contains(code) else { return false }
        var texts: [String] = []
        collect(from: content, into: &texts)
        if texts.contains(where: codes.contains) || codes.contains(code) { return true }
        let words = texts.filter { !standard.contains($0) }.joined(separator: " ")
            .replacing("tokenrequest", with: "").replacing("tokenendpoint", with: "")
        if let number = words.firstRange(of: "aadsts").map({ words[$0.upperBound...].prefix { $0.isNumber } }) {
            return entra.contains(String(number))
        }
        func has(_ list: [String]) -> Bool { list.contains { words.contains($0) } }
        if has(ofClient), !words.contains("issuedto") { return false }
        if has(sentences) { return true }
        let isOfForm = has(ofRequest) || words.contains("parameter") && !has(["expired", "revoked"])
        return !isOfForm && has(nouns) && has(faults)
    }

    private static func collect(from value: JSON, into texts: inout [String]) {
        guard texts.count < 64 else { return }
        switch value {
        case .string(let text) where !text.hasPrefix("http"): texts.append(squeezed(String(text.prefix(1000))))
        case .array(let elements): for element in elements { collect(from: element, into: &texts) }
        case .object(let object):
            for member in object.members {
                if case .number(let text) = member.value, numbers[text]?.contains(member.name) == true {
                    texts.append("invalidgrant")
                }
                collect(from: member.value, into: &texts)
            }
        default: break
        }
    }

    static func squeezed(_ text: String) -> String {
        String(
            decoding: text.asciiLowercased.utf8.filter { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) },
            as: UTF8.self)
    }
}
