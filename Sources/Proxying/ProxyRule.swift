package import Shell
internal import Wire

/// What `--allow` and `--deny` name: methods, and a pattern of paths.
package struct ProxyRule: Equatable {
    private enum Part: Equatable {
        /// Segments, with `*` for any bytes within one.
        case segment(String)
        /// `**`: any number of segments.
        case any
    }

    /// Empty for all.
    private let methods: [String]
    private let parts: [Part]
    /// Whether it says what an encoded slash means.
    private let namesEncodedSlash: Bool

    /// Reads `METHOD PATTERN`; several methods have commas, `*` is all of them.
    ///
    /// - Throws: exit 2.
    package init(_ text: String, option: String) throws(Failure) {
        let words = text.split(separator: " ").map(String.init)
        guard words.count == 2, words[1].hasPrefix("/") else {
            throw .usage(
                "\(option) takes a method and a path: \(Terminal.escaping(text))",
                hint: "for example \(option) 'GET /repos/**'; several methods as GET,POST, all of them as *")
        }
        let named = words[0].split(separator: ",").map(String.init)
        guard !named.isEmpty, named.allSatisfy({ $0 == "*" || $0.isHTTPToken }) else {
            throw .usage("\(option) has no HTTP method before the path: \(Terminal.escaping(text))")
        }
        methods = named.contains("*") ? [] : named
        namesEncodedSlash = words[1].asciiLowercased.contains("%2f")
        var parts: [Part] = []
        for part in words[1].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard part != "**" else {
                parts.append(.any)
                continue
            }
            guard let path = ProxyPath("/" + part), path.segments.count == 1 else {
                throw .usage("\(option) has a path that servers read in several ways: \(Terminal.escaping(text))")
            }
            parts.append(.segment(path.segments[0]))
        }
        self.parts = parts
    }

    /// A HEAD is a GET whose content is not wanted.
    func matches(_ method: String, _ path: ProxyPath) -> Bool {
        let method = method == "HEAD" ? ["HEAD", "GET"] : [method]
        guard
            methods.isEmpty || methods.contains(where: { name in method.contains { $0.equalsIgnoringASCIICase(name) } })
        else { return false }
        return Self.match(parts[...], path.segments[...])
    }

    private static func match(_ parts: ArraySlice<Part>, _ segments: ArraySlice<String>) -> Bool {
        guard let part = parts.first else { return segments.isEmpty }
        switch part {
        case .any:
            let rest = parts.dropFirst()
            return (segments.startIndex...segments.endIndex).contains { match(rest, segments[$0...]) }
        case .segment(let pattern):
            guard let segment = segments.first, match(Array(pattern.utf8)[...], Array(segment.utf8)[...]) else {
                return false
            }
            return match(parts.dropFirst(), segments.dropFirst())
        }
    }

    /// Whether a segment fits a pattern in which `*` is any number of bytes.
    private static func match(_ pattern: ArraySlice<UInt8>, _ text: ArraySlice<UInt8>) -> Bool {
        var (pattern, text) = (pattern, text)
        var star: (pattern: ArraySlice<UInt8>, text: ArraySlice<UInt8>)?
        while !text.isEmpty {
            if pattern.first == UInt8(ascii: "*") {
                pattern.removeFirst()
                star = (pattern, text)
            } else if let first = pattern.first, first == text.first {
                pattern.removeFirst()
                text.removeFirst()
            } else if let last = star {
                (pattern, text) = (last.pattern, last.text.dropFirst())
                star = (pattern, text)
            } else {
                return false
            }
        }
        return pattern.allSatisfy { $0 == UInt8(ascii: "*") }
    }
}

/// Which requests may pass.
package struct ProxyRules {
    private let allowed: [ProxyRule]
    private let denied: [ProxyRule]

    package init(allowed: [ProxyRule], denied: [ProxyRule]) { (self.allowed, self.denied) = (allowed, denied) }

    private var isEmpty: Bool { allowed.isEmpty && denied.isEmpty }

    /// Fields by which some servers take a request for one of another method.
    private static let overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]

    /// What is wrong with a request that no rule lets pass; nil for one that may pass.
    func objection(to method: String, _ path: ProxyPath, _ headers: [HTTPField] = []) -> ProxyProblem? {
        guard !isEmpty else { return nil }
        guard Self.overrides.allSatisfy({ headers.first($0) == nil }) else {
            return .forbidden("with rules, no field may name another method")
        }
        // Whether the server takes it for a slash, no rule can know; a rule that has one says so.
        if path.hasEncodedSlash, !(allowed + denied).contains(where: \.namesEncodedSlashes) {
            return .bad("the path has an encoded slash, and no rule names one")
        }
        if denied.contains(where: { $0.matches(method, path) }) { return .forbidden("--deny refuses the request") }
        guard !allowed.isEmpty, !allowed.contains(where: { $0.matches(method, path) }) else { return nil }
        return .forbidden("no --allow is for \(method) and this path")
    }
}

extension ProxyRule {
    fileprivate var namesEncodedSlashes: Bool { namesEncodedSlash }
}
