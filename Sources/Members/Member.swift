/// A member of a document: all that the program knows of it. Options, help, the manual and the lists of members that
/// are secret, or name files, or steer the client, derive from these records (oap-documents(5)). The prose is elsewhere,
/// since only help and manual read it. It is a class, since programs look through all of them when they start: a copy
/// of one is a pointer.
package final class Member: Sendable {
    /// The part of oap-documents(5) that describes it. The raw value is the heading of its options.
    package enum Kind: String, Sendable {
        case client = "Client"
        case server = "Server"
        case request = "Request"
        case way, flow, device, token, error
        /// A member without effect: it is kept, and no answer may set it.
        case kept
    }

    /// What `oap` takes the value of a member for. The raw value stands for one in the help.
    package enum Form: String, Sendable {
        case text = "TEXT"
        case url = "URL"
        case seconds = "SECONDS"
        case number = "NUMBER"
        case boolean = "BOOLEAN"
        case list = "LIST"
        case json = "JSON"
        /// Scope values with spaces between them (RFC 6749 §3.3).
        case scope = "SCOPE"
        /// The names of these members end in `_file`.
        case file = "PATH"
    }

    /// Who may see the value of a member.
    package enum Secrecy: Sendable {
        case none
        /// No message shows the value.
        case masked
        /// Nor does it have an option: a file may hold it, which the member of this name and `_file` names.
        case file
    }

    /// What a member belongs to. Whatever ends a token, a login or a flow takes the members of some owners away.
    package enum Owner: Sendable, CaseIterable {
        /// An authorization request, until the answer to it is read, or until its code is exchanged.
        case callback, exchange
        case accessToken, refreshToken, idToken
        /// The refusal of a refresh token by the server: the next answer to a renewal says otherwise.
        case refusal
        /// The right to renew, which outlives the refresh tokens that follow each other.
        case authorization
        /// The scope of the access token.
        case scope
        /// The scope that was granted, or asked for, once for all access tokens.
        case grant
        /// The login, also where its grant is sent again.
        case login
    }

    /// When a variable may supply a member. The job of a fork can set variables, so most members take none.
    package enum Variable: Sendable {
        case none, everywhere
        /// The member says where requests go: the variable counts where no document and no profile names its server.
        case ofAddress
        /// The variable counts for commands with its option.
        case withOption
    }

    /// The name in the document.
    package let name: String
    /// Where the member is described.
    package let kind: Kind
    /// What defines the member, an RFC and its section; nil for a name of `oap`.
    package let source: String?
    /// What `oap` takes the value of the member for.
    package let form: Form
    /// Who may see the value of the member.
    package let secrecy: Secrecy
    /// What the member belongs to; nil for what stays whatever comes and goes, as the client and its server.
    package let owner: Owner?
    /// Whether the answer of the server that makes such documents may set it.
    let isAnswered: Bool
    /// Whether the member means something to the program, so that no other answer may set it.
    let steers: Bool
    /// Whether the member is metadata of a client that a registration sends (RFC 7591 §2).
    let isRegistered: Bool
    /// Whether a registration issues it (RFC 7591 §3.2.1, RFC 7592 §3).
    let isIssued: Bool
    /// When the variable of the member counts.
    package let variable: Variable
    /// What to do where the member is missing; nil for what follows from its option and variable.
    let hint: String?
    /// Whether the variable of its name holds the value of the secret.
    package let hasSecretVariable: Bool
    /// What the member's option does in one line; nil for a member that has none.
    package let summary: String?
    /// The placeholder of the option's value; nil for the one of the form.
    package let argument: String?
    /// The long name of an option without a value that sets it: to true, or to the only choice; nil for an option with one.
    package let flag: String?
    /// The only values that the option allows, when there are any.
    package let choices: [String]
    /// What holds without the option, in a few words; nil if there is nothing to say.
    package let otherwise: String?
    /// The heading of the option; nil for the one of the kind.
    package let section: String?
    /// Whether every command has the option that needs to know the whole client.
    package let isOfAllCommands: Bool

    /// Makes a record; see the properties.
    ///
    /// - Parameter variable: for nil, the variable of a client's or a server's option counts everywhere.
    init(
        _ name: String, _ kind: Kind, _ source: String? = nil, form: Form = .text, secrecy: Secrecy = .none,
        owner: Owner? = nil, isAnswered: Bool = false, steers: Bool = true, variable: Variable? = nil,
        isRegistered: Bool = false, isIssued: Bool = false, hint: String? = nil, hasSecretVariable: Bool = false,
        argument: String? = nil, flag: String? = nil, choices: [String] = [], otherwise: String? = nil,
        section: String? = nil,
        isOfAllCommands: Bool = false, summary: String? = nil
    ) {
        (self.name, self.kind, self.source, self.form, self.secrecy) = (name, kind, source, form, secrecy)
        (self.owner, self.isAnswered, self.steers) = (owner, isAnswered, steers)
        (self.isRegistered, self.isIssued) = (isRegistered, isIssued)
        self.variable = variable ?? (summary == nil || kind == .request ? .none : .everywhere)
        (self.hint, self.hasSecretVariable, self.summary) = (hint, hasSecretVariable, summary)
        (self.argument, self.choices, self.section) = (argument, choices, section)
        (self.isOfAllCommands, self.otherwise, self.flag) = (isOfAllCommands, otherwise, flag)
    }
}

extension Member {
    /// The member that names a file: this one, or the one of this name and `_file`; nil for other members.
    package var fileName: String? { form == .file ? name : secrecy == .file ? "\(name)_file" : nil }

    /// The member that its option and its variable set: of a secret the one that names a file.
    package var settableName: String { fileName ?? name }

    /// The option of a member of this name, `--client-id`.
    package static func option(for name: String) -> String { spelled("--", name) { $0 == 0x5F ? 0x2D : $0 } }

    /// The option of a member of this name without its dashes, `client-id`.
    package static func optionName(for name: String) -> String { spelled("", name) { $0 == 0x5F ? 0x2D : $0 } }

    /// The variable of a member of this name, `OAP_CLIENT_ID`.
    package static func variable(for name: String) -> String {
        spelled("OAP_", name) { (0x61...0x7A).contains($0) ? $0 - 0x20 : $0 }
    }

    /// Without an array between: this runs for each option at each start.
    private static func spelled(_ prefix: StaticString, _ name: String, _ transform: (UInt8) -> UInt8) -> String {
        let start = prefix.utf8CodeUnitCount
        return String(unsafeUninitializedCapacity: start + name.utf8.count) { text in
            text.baseAddress?.initialize(from: prefix.utf8Start, count: start)
            var end = start
            for byte in name.utf8 {
                text.initializeElement(at: end, to: transform(byte))
                end += 1
            }
            return end
        }
    }

    /// What would supply the member, for people.
    package var supply: String { supply(isKept: false) }

    /// What would supply the member in a document that `oap` keeps, of which no variable sets an endpoint.
    package func supply(isKept: Bool) -> String {
        if let hint { return hint }
        let name = settableName
        let option = summary.map { _ in flag.map { "--\($0)" } ?? Self.option(for: name) }
        let counts = variable != .none && !(isKept && variable == .ofAddress)
        let places = [option, counts ? Self.variable(for: name) : nil].compactMap(\.self)
        return "use \(places.joined(separator: ", "))\(places.isEmpty ? "" : " or ")the member \"\(name)\""
    }
}
