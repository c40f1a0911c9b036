internal import OAuth
internal import Wire
internal import Shell
internal import Tokens
internal import Sessions

/// Finds the stored token for a URL: the one that `-p` names if it is for that place, else that of the profile that fits
/// best; if no profile fits, the one whose own document does.
struct TokenSearch {
    private let session: Session
    private let origins: [String]

    /// A search in a run of a command.
    ///
    /// - Parameter origins: those that the token is for too.
    init(_ session: Session, adding origins: [String] = []) { (self.session, self.origins) = (session, origins) }

    /// The URLs that the name of a service may mean: a URL, or a host with a port and a path, which is reached with https,
    /// or on loopback with http.
    static func urls(_ text: String) -> [WebURL] {
        guard !text.utf8.isEmpty, !text.hasPrefix("/") else { return [] }
        let texts = text.contains("://") ? [text] : ["https://\(text)", "http://\(text)"]
        return texts.compactMap { WebURL($0) }.filter { url in
            hasHost(url) && (url.scheme == "https" || url.scheme == "http" && url.isLoopback)
        }
    }

    /// Whether the host of a URL is a name or an address, with nothing percent-encoded.
    static func hasHost(_ url: WebURL) -> Bool {
        guard let host = url.host, !host.isEmpty else { return false }
        return host.utf8.allSatisfy { $0.isASCIILetterOrDigit || ".-_:[]".utf8.contains($0) }
    }

    /// The token that `-p` names; nil without `-p`.
    ///
    /// - Throws: exit 2 for a bad name, exit 3 or 11 for a profile that cannot be read.
    func named() throws(Failure) -> ManagedToken? {
        guard let name = session.inputs.settings.name else { return nil }
        return try session.login(name)
    }

    /// The places of the token with this document, and the origins of this search.
    ///
    /// - Throws: exit 2 or 3 for what cannot be read.
    func places(of document: Document) throws(Failure) -> TokenPlaces {
        try TokenPlaces(of: document.members, adding: origins)
    }

    /// The document of a token, as it is kept.
    ///
    /// - Throws: exit 8 without a stored token, exit 2, 3 or 11.
    func document(of token: ManagedToken) throws(Failure) -> Document {
        try token.input([], members: try session.engine.run(token.load())).document
    }

    /// The token for one of several URLs, which mean the same; nil if no token is for it.
    ///
    /// Its own document says where it may go, with what its profile adds. A token whose document names no place is for
    /// every URL, if `-p` names it.
    ///
    /// - Parameter isOfPerson: whether a person asks: then a store is searched too that may want a pass phrase.
    /// - Throws: exit 2 if several fit equally well, exit 8 without a stored token, exit 3 or 11.
    func token(for urls: [WebURL], isOfPerson: Bool = false) throws(Failure) -> ManagedToken? {
        guard let url = urls.first else { return nil }
        let named = try named()
        var other = try named == nil ? profile(for: urls) : nil
        if named == nil, other == nil, try isOfPerson ? true : session.inputs.storeIsFolder {
            other = try stored(for: urls)
        }
        let searched = try other.map { (name) throws(Failure) in try session.login(name) }
        guard let found = named ?? searched else { return nil }
        let places = try places(of: try document(of: found))
        if places.isOpen && named != nil || urls.contains(where: { places.match($0) != nil }) { return found }
        session.diagnostics.tell("the token of \(found.name.text) is not for \(url.origin)")
        session.diagnostics.hint(
            """
            to send the token to \(url.origin), use \(CredentialOption.allowOrigin.name) \(url.origin), or add the \
            origin to api_origins in the profile
            """)
        return nil
    }

    /// The name of the profile that fits best; nil if none does.
    private func profile(for urls: [WebURL]) throws(Failure) -> String? {
        let profiles = session.inputs.profiles
        return try best(of: try profiles.names(), for: urls, called: "profiles") { (name) throws(Failure) in
            try profiles.find(name) ?? [:]
        }
    }

    /// The name of the stored token whose document fits best; nil if none does.
    private func stored(for urls: [WebURL]) throws(Failure) -> String? {
        let names = try session.engine.run(Failure.storing(try session.inputs.store().list())).map(\.text)
        return try best(of: names, for: urls, called: "stored tokens") { (name) throws(Failure) in
            try session.engine.run(
                try session.stored(name).load())
        }
    }

    /// The name whose document fits best. One whose document cannot be read causes a message.
    ///
    /// - Throws: exit 2 if several fit equally well.
    private func best(
        of all: [String], for urls: [WebURL], called kind: String, _ document: (String) throws(Failure) -> JSONObject
    ) throws(Failure) -> String? {
        var (names, best) = ([String](), -1)
        for name in all {
            let places: TokenPlaces
            do throws(Failure) {
                places = try TokenPlaces(of: try document(name))
            } catch {
                session.diagnostics.tell(error)
                continue
            }
            guard let match = urls.compactMap(places.match).max(), match >= best else { continue }
            names = match > best ? [name] : names + [name]
            best = match
        }
        guard names.count <= 1 else {
            throw .usage(
                "several \(kind) are for \(urls[0].origin): \(names.joined(separator: ", "))",
                hint: "choose one of the \(kind) with -p NAME")
        }
        return names.first
    }
}
