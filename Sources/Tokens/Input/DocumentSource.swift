internal import System
internal import TokenStore
internal import Shell

/// Where the document of a command is.
package enum DocumentSource {
    case standardInput
    /// Nowhere: `-n`.
    case nothing
    /// A profile and the stored token of its name.
    case name(String)
    /// The path of a token.
    case tokenFile(String)
    /// The path of a document that is read once, and nothing is written there: of a descriptor that is no file, such as
    /// that of `<(…)`, or of a client or a flow.
    case file(String)

    /// What `-n`, a name or `--token-file` says, else `OAP_PROFILE`. Where the variable names the document, standard input is
    /// not even looked at: CI systems, cron, ssh and the loops of a shell give each command what is somebody else's, and a
    /// document names files and servers.
    ///
    /// - Throws: exit 2 for a variable that is no name, and for one that alone would say what is destroyed.
    init(_ settings: SubjectSettings, _ environment: Environment) throws(Failure) {
        if let path = settings.tokenFile {
            let isFile = !DescriptorPath.isOne(path) || (try? FileStatus(at: path))?.isFile != false
            self = path == "-" ? .standardInput : isFile && settings.takesToken ? .tokenFile(path) : .file(path)
        } else if settings.isAlone || settings.isWhole {
            self = .nothing
        } else if let name = settings.name {
            self = .name(name)
        } else if !settings.readsFlow, let name = try Self.variable(environment) {
            guard !settings.destroys else {
                throw .usage(
                    "OAP_PROFILE alone does not say what is destroyed",
                    hint: "add -p \(name), or for the document on standard input: \(GeneralOption.tokenFile.name) -")
            }
            self = .name(name)
        } else if settings.isBatch {
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
}
