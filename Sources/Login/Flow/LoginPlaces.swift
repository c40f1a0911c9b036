package import OAuth
internal import Wire
package import Shell
internal import Tokens
package import Sessions

/// Where the metadata of an issuer sends a login: the user to the login page, and the code to the token endpoint. A
/// malicious server can name the page of another server, or lead the browser on to it, and gets the code of that one (a
/// mix-up, RFC 9700 §4.4).
package struct LoginPlaces {
    private let issuer: String
    /// The origin of the endpoint at which the login begins.
    private let start: String
    /// The origin that gets the code.
    private let receiver: String
    private let code: LoginWay.Code
    private let choice: Choice
    /// Whether the user or a preset has named the endpoint at which the login begins.
    private let isNamed: Bool
    /// Whether the server promises to name itself in the redirect (RFC 9207, or a signed response), which no other server
    /// can do for it. Where nothing is redirected, that is no help.
    private let promisesIssuer: Bool
    /// The member that the user can give for the endpoint at which the login begins, and its value.
    private let named: (member: String, value: String)

    /// How the client has come to its server.
    package struct Choice {
        /// Whether an address alone has led to it: that of a resource, or of a server that registers the client or takes
        /// one that is the same everywhere. Such a client may well be known at another server.
        package var isByAddress: Bool
        /// Whether no login there has succeeded yet.
        package var isFirst = false
        /// Whether the client is the same at every server, and this one is not in the profile.
        var isSameEverywhere = false
    }

    private var isDevice: Bool { code == .device || code == .backchannel }
    private var namesItself: Bool { promisesIssuer && !isDevice }

    /// Looks at the endpoints of a document that will be asked; nil if the user or a preset has named them.
    ///
    /// - Parameters:
    ///   - known: the document before metadata was added; nil if all but options may come from metadata.
    /// - Throws: exit 2 or 3 for a member of another form.
    package init?(
        of document: Document, besides known: Document?, for code: LoginWay.Code, _ choice: Choice
    ) throws(Failure) {
        // A client with a certificate asks an alias.
        let origin = { (name: String, document: Document) in (try? Endpoint(name, in: document))?.url.origin }
        let isNew = { (name: String) in
            known.map { origin(name, document) != origin(name, $0) } ?? (document.origin(of: name) == .document)
        }
        isNamed = !isNew(code.start)
        guard code != .none, !isNamed || isNew("token_endpoint"), let start = origin(code.start, document),
            let receiver = origin("token_endpoint", document)
        else { return nil }
        issuer = document.members["issuer"]?.string.flatMap { WebURL($0)?.origin } ?? receiver
        (self.start, self.receiver, self.code, self.choice) = (start, receiver, code, choice)
        let (promised, profile) = try asFailure((document.bool(Self.promise), SecurityProfile(of: document)))
        let isSigned = try asFailure(ResponseMode(of: document)).isSigned
        promisesIssuer = promised == true || profile != nil || isSigned
        named = (code.start, document.members[code.start]?.string ?? "")
    }

    /// The member by which metadata promises `iss` in the redirect.
    package static let promise = "authorization_response_iss_parameter_supported"

    /// Whether the client of a document is the same at every server.
    static func isSameEverywhere(_ document: Document) -> Bool {
        document.members["client_id"]?.string.map { ClientMetadataDocument.problem(with: $0) == nil } ?? false
    }

    /// The places of a document that commands have made from an address, before a step of a login.
    ///
    /// - Returns: them, after ``check(isStrict:)`` and what is to be said of them.
    @discardableResult
    package static func told(of document: Document, for code: LoginWay.Code, _ session: Session) throws(Failure)
        -> LoginPlaces?
    {
        let isByAddress =
            isSameEverywhere(document) || ForgottenClient.members.contains { document.members[$0]?.isNull == false }
            || document.members["resource"]?.isNull == false && document.origin(of: "resource") == .document
        guard isByAddress else { return nil }
        let places = try LoginPlaces(of: document, besides: nil, for: code, Choice(isByAddress: true))
        try places?.check(isStrict: session.diagnostics.isStrict)
        if let notice = places?.notice { session.diagnostics.tell(notice) }
        return places
    }

    /// What a person must know before the browser opens; nil if there is nothing, or if the page is not known yet.
    package var notice: String? {
        guard code != .device else { return nil }
        return !isDevice && !isAtHome(start) ? sentence("the login page is at", start) : care
    }

    /// Refuses places that may be a mix-up.
    ///
    /// - Parameter isStrict: whether what the user can only see in the browser is refused too.
    /// - Throws: exit 9.
    package func check(isStrict: Bool) throws(Failure) {
        guard !isNamed else { return }
        let lack = "\(receiver) does not promise iss (RFC 9207)"
        if choice.isFirst, !isAtHome(start), !namesItself {
            throw refusal(sentence(isDevice ? "the device code comes from" : "the login page is at", start))
        }
        if choice.isSameEverywhere, !promisesIssuer {
            throw refusal("the client is the same at every server, and \(lack)", ofPlaces: false)
        }
        guard isStrict, care != nil else { return }
        throw refusal(isDevice ? "a device code can come from another server" : lack, ofPlaces: false)
    }

    /// What a person must know of the page of the device flow, which no metadata names; nil if there is nothing.
    ///
    /// - Throws: exit 9 at a first login with a page elsewhere.
    package func notice(of device: DeviceAuthorizationResponse) throws(Failure) -> String? {
        let pages = [device.verificationURI, device.verificationURIComplete].compactMap { $0?.origin }
        guard let page = pages.first(where: { !isAtHome($0) }) else { return care }
        let sentence = sentence("the login page is at", page)
        guard !choice.isFirst || isNamed else { throw refusal(sentence) }
        return sentence
    }

    /// What only the user can see, where nothing proves that the login page is that of the server that gets the code.
    private var care: String? {
        guard choice.isByAddress, !namesItself else { return nil }
        let origin = "can have got it from another server"
        return switch code {
        case .redirect, .paste, .none:
            "log in only if the browser shows a page of \(start): the code goes there"
        case .device: "log in only if the browser shows a page of \(receiver): whoever shows a code \(origin)"
        case .backchannel: "confirm only a login of \(receiver): whoever passes on a request \(origin)"
        }
    }

    private func isAtHome(_ page: String) -> Bool { page.isIdentical(to: issuer) && receiver.isIdentical(to: issuer) }

    private func sentence(_ beginning: String, _ page: String) -> String {
        "\(beginning) \(page), the \(isDevice ? "device code" : "code") goes to \(receiver), and the issuer is \(issuer)"
    }

    /// - Parameter ofPlaces: whether it is about places of several origins.
    private func refusal(_ sentence: String, ofPlaces: Bool = true) -> Failure {
        let value = named.value.isPlainWord ? named.value : "URL"
        let trust = ofPlaces ? "all of these belong to one provider" : "\(receiver) is the server that you mean"
        return Failure(
            .insecure, .originRefused, "\(sentence): this may be a mix-up attack",
            hint: """
                only if \(trust), name the endpoint that is meant: \(Member.option(for: named.member)) \(value)
                """)
    }
}
