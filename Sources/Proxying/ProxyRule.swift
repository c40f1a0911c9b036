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
    private var parts: [Part]
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
    func matches(_ method: String, _ segments: [String]) -> Bool {
        let method = method == "HEAD" ? ["HEAD", "GET"] : [method]
        guard
            methods.isEmpty || methods.contains(where: { name in method.contains { $0.equalsIgnoringASCIICase(name) } })
        else { return false }
        // How many of the segments the parts so far can have taken.
        var taken = [Bool](repeating: false, count: segments.count + 1)
        taken[0] = true
        for part in parts {
            switch part {
            case .any: for count in 1..<taken.count where taken[count - 1] { taken[count] = true }
            case .segment(let pattern):
                let pattern = Array(pattern.utf8)
                for count in stride(from: segments.count, to: 0, by: -1) {
                    taken[count] = taken[count - 1] && Self.match(pattern[...], Array(segments[count - 1].utf8)[...])
                }
                taken[0] = false
            }
        }
        return taken[segments.count]
    }

    /// Whether a request passes for one that this rule lets pass: an encoded slash must be named.
    func allows(_ method: String, _ path: ProxyPath) -> Bool {
        (namesEncodedSlash || !path.hasEncodedSlash) && matches(method, path.segments)
    }

    /// Whether some server may read the path as one that this rule refuses: without parameters, in another case, with an
    /// encoded slash as a slash, or without what is at its end.
    func denies(_ method: String, _ path: ProxyPath) -> Bool {
        let loose = changing(self) { rule in
            rule.parts = rule.parts.map {
                if case .segment(let text) = $0 { .segment(text.asciiLowercased) } else { $0 }
            }
        }
        return [path.segments, path.segments.flatMap { $0.split(separator: "/").map(String.init) }].contains {
            matches(method, $0) || loose.matches(method, ProxyPath.loose($0))
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

    /// Fields by which some servers take a request for one of another method, or for another path.
    private static let overrides = [
        "x-http-method-override", "x-http-method", "x-method-override", "x-original-url", "x-rewrite-url",
        "x-original-uri", "x-forwarded-uri",
    ]

    /// What is wrong with a request that no rule lets pass; nil for one that may pass.
    func objection(to method: String, _ path: ProxyPath, query: String? = nil, _ headers: [HTTPField] = [])
        -> ProxyProblem?
    {
        guard !isEmpty else { return nil }
        let names = headers.map { $0.name.asciiLowercased.replacing("_", with: "-") }
        let parameters = query.flatMap { try? FormEncoding.parse($0) } ?? []
        guard !names.contains(where: Self.overrides.contains), !parameters.contains(where: { $0.name == "_method" })
        else {
            return .forbidden("with rules, nothing may name another method or path")
        }
        if denied.contains(where: { $0.denies(method, path) }) { return .forbidden("--deny refuses the request") }
        guard !allowed.isEmpty, !allowed.contains(where: { $0.allows(method, path) }) else { return nil }
        let reason = path.hasEncodedSlash ? ": a path with an encoded slash needs a rule that has one" : ""
        return .forbidden("no --allow is for \(method) and this path\(reason)")
    }
}
