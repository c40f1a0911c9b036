internal import OAuth
internal import Wire

/// Where the metadata of an issuer sends a login: the user to the login page, and the code to the token endpoint. A
/// malicious server can name the page of another server, and gets the code of that one (a mix-up, RFC 9700 §4.4).
struct LoginPlaces {
    private let issuer: String
    /// The origin of the endpoint at which the login begins.
    private let start: String
    /// The origin that gets the code.
    private let receiver: String
    private let isDevice: Bool
    /// Whether places elsewhere are refused: no login there has succeeded yet, and metadata says where it begins, not the
    /// user or a preset.
    private let isRefused: Bool
    /// The member that the user can give for the endpoint at which the login begins, and its value.
    private let named: (member: String, value: String)

    /// Looks at the endpoints of a document; nil if the user or a preset has named them, or without an issuer.
    ///
    /// - Parameters:
    ///   - known: the members of the document before metadata was added.
    ///   - isFirst: whether it is the first login at this server.
    init?(of document: Document, besides known: JSONObject, for code: LoginWay.Code, isFirst: Bool) {
        let origin = { (name: String) in document.members[name]?.string.flatMap { WebURL($0) }?.origin }
        isDevice = code == .device || code == .backchannel
        let name = code.start
        let isFound = document.members[name] != known[name]
        guard code != .none, isFound || document.members["token_endpoint"] != known["token_endpoint"],
            let issuer = origin("issuer"), let start = origin(name), let receiver = origin("token_endpoint")
        else { return nil }
        (self.issuer, self.start, self.receiver, isRefused) = (issuer, start, receiver, isFirst && isFound)
        named = (name, document.members[name]?.string ?? "")
    }

    /// What a person must know before the browser opens; nil if everything is at the origin of the issuer, or if the page
    /// is not known yet.
    var notice: String? { isDevice || isAtHome(start) ? nil : sentence("the login page is at", start) }

    /// Refuses places of a first login that may be a mix-up.
    ///
    /// - Parameter hasIssuerParameter: whether the server promises to name itself in the redirect (RFC 9207), which no
    ///   other server can do for it. In the device flow nothing is redirected.
    /// - Throws: exit 9.
    func check(hasIssuerParameter: Bool) throws(Failure) {
        guard isRefused, !isAtHome(start), isDevice || !hasIssuerParameter else { return }
        throw refusal(sentence(isDevice ? "the device code comes from" : "the login page is at", start))
    }

    /// What a person must know of the page of the device flow, which no metadata names; nil if it is the issuer's.
    ///
    /// - Throws: exit 9 at a first login.
    func notice(of device: DeviceAuthorizationResponse) throws(Failure) -> String? {
        let pages = [device.verificationURI, device.verificationURIComplete].compactMap { $0?.origin }
        guard let page = pages.first(where: { !isAtHome($0) }) else { return nil }
        let sentence = sentence("the login page is at", page)
        guard !isRefused else { throw refusal(sentence) }
        return sentence
    }

    private func isAtHome(_ page: String) -> Bool {
        page.isIdentical(to: issuer) && receiver.isIdentical(to: issuer)
    }

    private func sentence(_ beginning: String, _ page: String) -> String {
        "\(beginning) \(page), the \(isDevice ? "device code" : "code") goes to \(receiver), and the issuer is \(issuer)"
    }

    private func refusal(_ sentence: String) -> Failure {
        let value = named.value.isPlainWord ? named.value : "URL"
        return Failure(
            .insecure, .originRefused, "\(sentence): this may be a mix-up attack",
            hint: """
                only if all of these belong to one provider, name the endpoint that is meant: \
                \(Member.option(for: named.member)) \(value)
                """)
    }
}
