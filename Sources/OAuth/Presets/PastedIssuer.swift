/// A whole issuer that a person gives for one variable of a preset: `host=sso.example.org/realms/staff` is a host and a
/// realm, `domain=dev-1.okta.com/oauth2/default` a domain and a server.
struct PastedIssuer {
    private let pieces: [PlaceSyntax.Piece]

    /// Begins with the issuer of a preset, its places unfilled; nil without one.
    init?(_ template: String?) {
        guard var text = template, let scheme = text.firstRange(of: "://") else { return nil }
        text.removeSubrange(..<scheme.upperBound)
        if text.hasSuffix("/") { text.removeLast() }
        pieces = PlaceSyntax.pieces(of: text).filter { if case .text("") = $0 { false } else { true } }
    }

    /// The values of all its places in a text, with or without a scheme and a slash at the end; nil if it is no such
    /// issuer. `http://`, for a server on this machine, goes with the first place.
    func values(in text: String) -> [(name: String, value: String)]? {
        guard pieces.count > 1 else { return nil }
        let schemeEnd = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        var rest = text[schemeEnd...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var values: [(name: String, value: String)] = []
        for (index, piece) in pieces.enumerated() {
            switch piece {
            case .text(let text):
                guard rest.hasPrefix(text) else { return nil }
                rest = rest.dropFirst(text.count)
            case .place(let name):
                var end: String.Index? = rest.endIndex
                if index + 1 < pieces.count, case .text(let next) = pieces[index + 1] {
                    end = rest.firstRange(of: next)?.lowerBound
                }
                guard let end, end > rest.startIndex else { return nil }
                let scheme = index == 0 && text.hasPrefix("http://") ? "http://" : ""
                values.append((name: name, value: scheme + String(rest[..<end])))
                rest = rest[end...]
            }
        }
        return rest.isEmpty ? values : nil
    }
}
