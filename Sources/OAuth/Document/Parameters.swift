internal import Wire

/// The parameters of a request, in order (RFC 6749 §3.1, §3.2): none without a value, none twice but those that may be.
package struct Parameters: Sendable {
    package private(set) var pairs: [(name: String, value: String)] = []

    package init() {}

    /// Adds a parameter; one without a value is left out (RFC 6749 §3.1).
    mutating func add(_ name: String, _ value: String?) {
        guard let value, !value.isEmpty else { return }
        pairs.append((name, value))
    }

    /// Adds the parameters that the caller or a preset made up. One that is already there by that name is replaced,
    /// unless it is reserved.
    ///
    /// - Parameter member: the member of the document that they are from; nil for the caller's own.
    /// - Throws: `usage` for a reserved name, an empty name, or a name given twice that may not be repeated.
    private static func hint(forReserved name: String) -> String? {
        switch name {
        case "client_assertion", "client_assertion_type":
            "--client-key-file names the key with which oap signs them"
        case "state", "nonce", "code_challenge", "code_verifier":
            "oap makes a new \(name) for each login; oap-authurl(1) says how to use one of your own in a test"
        case "redirect_uri": "\(Member.option(for: name)) URI sets it"
        default: nil
        }
    }

    mutating func addExtra(
        _ extra: [(name: String, value: String)], reserved: [String], member: String? = nil
    ) throws(OAuthError) {
        guard !extra.isEmpty else { return }
        func refused(_ reason: String, hint: String? = nil) -> OAuthError {
            OAuthError(.usage, reason, hint: hint, member: member, origin: member.map { _ in .document })
        }
        var seen: Set<String> = []
        for (name, _) in extra {
            guard !name.isEmpty else { throw refused("a parameter needs a name") }
            guard !reserved.contains(name) else {
                throw refused("the parameter \(name) is reserved: it cannot be set", hint: Self.hint(forReserved: name))
            }
            guard seen.insert(name).inserted || Self.repeatable.contains(name) else {
                throw refused("the parameter \(name) is given twice")
            }
        }
        pairs.removeAll { seen.contains($0.name) && !Self.repeatable.contains($0.name) }
        for (name, value) in extra { add(name, value) }
    }

    /// Adds the parameters of a member of the document, but for those that the caller names anew, then the caller's.
    ///
    /// - Throws: as ``addExtra(_:reserved:member:)``.
    mutating func addExtra(
        _ own: [(name: String, value: String)], of member: String, then extra: [(name: String, value: String)],
        reserved: [String]
    ) throws(OAuthError) {
        let kept = own.filter { pair in !extra.contains { $0.name.isIdentical(to: pair.name) } }
        try addExtra(kept, reserved: reserved, member: member)
        try addExtra(extra, reserved: reserved)
    }

    package subscript(name: String) -> String? { pairs.first { $0.name == name }?.value }

    /// The names that may stand more than once: RFC 8707 §2 and RFC 8693 §2.1.
    private static let repeatable: Set<String> = ["resource", "audience"]
}

extension Parameters {
    /// Replaces the values of those that are there.
    mutating func replace(_ values: [String: String]) { pairs = pairs.map { ($0.name, values[$0.name] ?? $0.value) } }

    mutating func remove(_ name: String) { pairs.removeAll { $0.name == name } }

    /// Adds the resource indicators of the document (RFC 8707 §2).
    ///
    /// - Throws: `usage` for one that is no absolute URI or has a fragment.
    mutating func addResources(of document: Document) throws(OAuthError) {
        for resource in try document.strings("resource") {
            guard let url = WebURL(resource), url.fragment == nil else {
                throw document.invalid("resource", "must be an absolute URI without a fragment (RFC 8707 section 2)")
            }
            add("resource", resource)
        }
    }
}

/// What a server calls the parameters of its requests, where it has names of its own (`parameter_names`): TikTok says
/// `client_key` for `client_id`.
package struct ParameterNames: Sendable {
    private let names: [(standard: String, own: String)]
    /// What the server does not take (null).
    private let dropped: [String]

    package init(of document: Document) throws(OAuthError) {
        let names = try document.parameters("parameter_names")
        guard names.allSatisfy({ !$0.value.isEmpty }), Set(names.map(\.value)).count == names.count else {
            throw document.invalid("parameter_names", "must give each parameter a different name that is not empty")
        }
        self.names = names.map { ($0.name, $0.value) }
        dropped = try document.object("parameter_names").members.filter(\.value.isNull).map(\.name)
    }

    package subscript(standard: String) -> String {
        names.first { $0.standard.isIdentical(to: standard) }?.own ?? standard
    }

    func renaming(_ pairs: [(name: String, value: String)]) -> [(name: String, value: String)] {
        pairs.filter { !dropped.contains($0.name) }.map { (self[$0.name], $0.value) }
    }

    func drops(_ standard: String) -> Bool { dropped.contains { $0.isIdentical(to: standard) } }

    /// Parameters that cannot be set by hand, with what the server calls them.
    func reserving(_ reserved: [String]) -> [String] { reserved + reserved.map { self[$0] } }
}
