internal import CommandSpec
internal import System
internal import TokenStore
internal import Wire

/// Where the document of a command is.
enum DocumentSource {
    case standardInput
    /// Nowhere: `-n`.
    case nothing
    /// A profile and the stored token of its name.
    case name(String)
    /// The path of a token.
    case tokenFile(String)

    /// What `-n`, a name or `--token-file` says, else `OAP_PROFILE`, which is not looked at if standard input may hold a
    /// document. That of a batch holds requests.
    ///
    /// - Throws: exit 2 for two of these, and for a variable that is no name.
    init(_ arguments: Arguments, _ environment: Environment) throws(Failure) {
        // Of a document, an anonymous call needs `api_base` at most.
        let isWhole = arguments.has(CallOption.anonymous) && arguments.operand(named: "URL")?.hasPrefix("/") == false
        let isAlone = arguments.has(GeneralOption.nullInput)
        let isBatch = arguments.has(BatchOption.batch)
        let operand = GeneralOption.nameOperand.name
        let takesName = arguments.command?.operands.first?.name == operand
        let name = try Self.name(takesName ? arguments.operand(named: operand) : nil, arguments)
        let path = arguments.value(GeneralOption.tokenFile)
        guard [isAlone, name != nil, path != nil].count(where: \.self) <= 1 else {
            throw .usage(path == nil ? "give -n or a name, not both" : "give only one of -n, a name and --token-file")
        }
        if let path {
            self = .tokenFile(path)
        } else if isAlone || isWhole {
            self = .nothing
        } else if let name {
            self = .name(name)
        } else if isBatch || !Self.standardInputMayHoldDocument, let name = try Self.variable(environment) {
            self = .name(name)
        } else if isBatch {
            self = .nothing
        } else {
            self = .standardInput
        }
    }

    /// The name on the command line, as the operand or with `-p`.
    ///
    /// - Throws: exit 2 for two different ones.
    static func name(_ operand: String?, _ arguments: Arguments) throws(Failure) -> String? {
        let option = arguments.value(GeneralOption.profile)
        if let operand, let option, !operand.isIdentical(to: option) {
            throw .usage("the operand and -p give different names")
        }
        return operand ?? option
    }

    /// The name in `OAP_PROFILE`.
    ///
    /// - Throws: exit 2 for text that is no name.
    static func variable(_ environment: Environment) throws(Failure) -> String? {
        guard let name = try environment.value("OAP_PROFILE") else { return nil }
        do throws(StoreError) {
            return try TokenName(name).text
        } catch {
            throw .usage("OAP_PROFILE: \(error.message)")
        }
    }

    /// Whether standard input is a pipe, a file or a socket, not a terminal, `/dev/null` or closed.
    private static var standardInputMayHoldDocument: Bool {
        guard let status = try? FileStatus(.standardInput) else { return false }
        return !status.isCharacterDevice
    }
}
