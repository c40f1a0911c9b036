internal import CommandSpec
internal import Wire
internal import Shell

/// What `oap inspect` shows on a terminal: a line for each thing, aligned.
struct InspectionText {
    private let summary: JSONObject
    private let now: Int

    /// The summary is what a document or a JWT says; `now` is in seconds since 1970.
    init(_ summary: JSONObject, now: Int) { (self.summary, self.now) = (summary, now) }

    /// The width is the characters of a line; nil for any number.
    func text(width: Int?) -> String {
        let rows = rows
        // Names are those of a token too, of any length: no other line grows with one.
        let column = (rows.map { $0.name.count }.filter { $0 <= Self.longestName }.max() ?? 0) + 2
        return rows.flatMap { name, value in
            let line = value.isEmpty ? name : name + String(repeating: " ", count: max(2, column - name.count)) + value
            guard let width, line.count > width else { return [line] }
            return Self.wrapped(name, value, column, max(24, width))
        }.joined(separator: "\n")
    }

    /// The longest name that has the values beside it.
    private static let longestName = 40

    /// The lines of a value beside its name, or below it if it has a word that is too long for that, or little room is left
    /// beside. A word that is too long for a line is broken.
    private static func wrapped(_ name: String, _ value: String, _ column: Int, _ width: Int) -> [String] {
        let words = value.split(separator: " ")
        if name.count + 2 <= column, column * 4 <= width * 3, words.allSatisfy({ $0.count <= width - column }) {
            return TextLayout.wrap(value, indent: column, first: name, width: width)
        }
        let indent = min(name.prefix { $0 == " " }.count + 4, width / 2)
        var parts: [Substring] = []
        for word in words {
            var rest = word
            while !rest.isEmpty {
                parts.append(rest.prefix(width - indent))
                rest = rest.dropFirst(width - indent)
            }
        }
        return [name] + TextLayout.wrap(parts.joined(separator: " "), indent: indent, width: width)
    }

    private typealias Row = (name: String, value: String)

    private var rows: [Row] {
        var rows: [Row] = []
        for member in summary.members {
            switch member.name {
            case "header", "seconds_left": continue
            case "claims": rows += others(member.value.object ?? [:])
            case "access_token", "id_token": rows += nested(member.value, as: Self.label(member.name))
            case "parameters":
                for parameter in member.value.object?.members ?? [] {
                    rows += nested(parameter.value, as: Terminal.escaping(parameter.name))
                }
            case "certificates":
                for certificate in member.value.array ?? [] { rows += nested(certificate, as: "certificate") }
            case "keys": for key in member.value.array ?? [] { rows += nested(key, as: "JSON Web Key") }
            default: rows.append((Self.label(member.name), Terminal.escaping(value(of: member))))
            }
        }
        return rows
    }

    /// The lines of an object below its name; the line of any other value.
    private func nested(_ value: JSON, as name: String) -> [Row] {
        guard let object = value.object else { return [(name, Terminal.escaping(Self.plain(value)))] }
        return [(name, "")] + InspectionText(object, now: now).rows.map { ("  " + $0.name, $0.value) }
    }

    /// The claims that no other line shows.
    private func others(_ claims: JSONObject) -> [Row] {
        let shown = ["iat", "nbf", "exp", "cnf"]
        return claims.members.filter { summary[$0.name] == nil && !shown.contains($0.name) }.map {
            guard $0.name == "auth_time" else {
                return (Terminal.escaping($0.name), Terminal.escaping(Self.plain($0.value)))
            }
            return ("logged in at", Terminal.escaping(time($0.value)))
        }
    }

    /// A time with its distance from now; what is no time as it is.
    private func time(_ value: JSON) -> String {
        guard let time = value.integer else { return Self.plain(value) }
        return "\(TimeText.local(time)), \(Self.distance(from: now, to: time))"
    }

    private func value(of member: JSONObject.Member) -> String {
        switch member.name {
        case "issued_at", "not_before", "expires_at", "refresh_token_expires_at", "authorization_expires_at":
            return time(member.value)
        case "renewed_by": return member.value.isNull ? "nothing" : "the \(Self.label(Self.plain(member.value)))"
        case "bound_to": return member.value.object.map(Self.binding) ?? "no key: a bearer token"
        default: return Self.plain(member.value)
        }
    }

    /// A binding for people: the kind of key, and its thumbprint if that is known.
    private static func binding(_ confirmation: JSONObject) -> String {
        for (name, kind) in [("jkt", "a DPoP key"), ("x5t#S256", "a client certificate")] {
            guard let value = confirmation[name] else { continue }
            let doubt = confirmation["confirmed"] == .bool(false) ? " (asked for; the token does not show it)" : ""
            return (value.string.map { "\(kind), \($0)" } ?? kind) + doubt
        }
        return "a key"
    }

    static func plain(_ value: JSON) -> String {
        value.string ?? value.strings?.joined(separator: ", ") ?? value.text
    }

    private static let labels = [
        "iss": "issuer", "sub": "subject", "aud": "audience", "client_id": "client", "alg": "algorithm", "kid": "key",
        "typ": "type", "id_token": "ID token", "accept_issuer": "accepted issuer",
    ]
    private static func label(_ name: String) -> String { labels[name] ?? name.replacing("_", with: " ") }

    /// A distance in time in its two largest units.
    static func distance(from now: Int, to time: Int) -> String {
        let (seconds, isOverflown) = time.subtractingReportingOverflow(now)
        guard !isOverflown else { return "beyond all bounds" }
        guard seconds != 0 else { return "just now" }
        let text = Timestamp.span(seconds.magnitude)
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }
}
