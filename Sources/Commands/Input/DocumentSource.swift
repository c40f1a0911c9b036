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
    /// - Throws: exit 2 for a variable that is no name.
    init(_ settings: SubjectSettings, _ environment: Environment) throws(Failure) {
        let isBatch = settings.isBatch
        if let path = settings.tokenFile {
            self = .tokenFile(path)
        } else if settings.isAlone || settings.isWhole {
            self = .nothing
        } else if let name = settings.name {
            self = .name(name)
        } else if isBatch || !Self.standardInputMayHoldDocument, let name = try Self.variable(environment) {
            self = .name(name)
        } else if isBatch {
            self = .nothing
        } else {
            self = .standardInput
        }
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
