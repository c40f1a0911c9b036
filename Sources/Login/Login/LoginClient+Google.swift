internal import OAuth
internal import System
internal import TokenStore
internal import Wire
internal import Shell
internal import Tokens

extension LoginClient {
    /// The client of a file of Google: of a workload, or of a service account, which the option for the client's key may name
    /// too.
    ///
    /// - Throws: exit 3 for a file with another endpoint, exit 11 for one that cannot be read.
    static func google(
        _ inputs: InputReader, _ settings: LoginSettings, _ name: TokenName
    ) throws(Failure) -> (client: JSONObject, LoginSettings)? {
        let named = settings.credentialFile
        let key = text(of: ClientCredential.key.fileMember, in: inputs.settings.members)
        let hasClient = text(of: "client_id", in: inputs.settings.members) != nil
        guard let path = named ?? (hasClient ? nil : key), !DescriptorPath.isOne(path) else { return nil }
        // What can be read once is left to those who use the key.
        if named == nil, (try? FileStatus(at: path))?.isFile != true { return nil }
        let bytes = try SecretFile.read(path, limit: SecretText.limit, nil)
        guard let file = (try? JSON(parsing: bytes))?.object else {
            if named != nil { throw Failure(.badInput, .parse, "\(path) is not a JSON object") }
            return nil
        }
        let (others, audience) = settings.taking("audience")
        if var client = try asFailure(GoogleClientFile.serviceAccount(in: file, audience: audience)) {
            client[ClientCredential.key.fileMember] = .string(try InputFile.absolute(path))
            return (client, others)
        }
        guard let named else { return nil }
        guard let (client, account) = try asFailure(GoogleExternalAccount.client(in: file)) else {
            throw Failure(.badInput, .metadataInvalid, "\(named) is no file of a service account or a workload")
        }
        if let account {
            inputs.diagnostics.hint(
                """
                the token is the workload's own; that of the service account: oap login \(name.text)-sa --provider \
                google-impersonation account=\(Terminal.escaping(account).shellWord) --assertion-from profile:\(name.text)
                """)
        }
        return (client, settings)
    }
}
