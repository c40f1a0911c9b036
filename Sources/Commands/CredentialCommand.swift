internal import CommandSpec
internal import Shell
internal import Sessions

/// `oap credential`: gives stored tokens to programs that ask a helper for them.
enum CredentialCommand {
    private static let protocols: [(name: String, run: @Sendable (CredentialRequest) throws(Failure) -> Exit)] = [
        ("git", GitCredential.run), ("docker", DockerCredential.run), ("kubectl", KubernetesCredential.run),
        ("bazel", BazelCredential.run), ("netrc", NetrcCredential.run), ("keyring", KeyringCredential.run),
        ("google", GoogleCredential.run), ("aws", AWSCredential.run),
    ]

    private static func run(_ session: Session, _ arguments: Arguments) throws(Failure) -> Exit {
        let name = arguments.operand(0)
        guard let entry = protocols.first(where: { $0.name == name }) else {
            preconditionFailure("the parser allows the protocols alone")
        }
        return try entry.run(CredentialRequest(arguments, session))
    }

    static let command = Command(
        "credential", section: "Log in and use a token", summary: "give a stored token to a program that asks for it",
        operands: [
            Operand("PROTOCOL", choices: protocols.map(\.name), summary: "how the program asks"),
            Operand("ACTION", isRequired: false, summary: "what the program asks for, such as get"),
            Operand(
                "ARGUMENT", isRequired: false, isRepeatable: true, followsDashes: true,
                summary: "the program's further arguments"),
        ],
        options: [
            GeneralOption.profile, CredentialOption.allowOrigin, CredentialOption.username, CredentialOption.host,
            CredentialOption.idToken, GeneralOption.store, GeneralOption.storeTrust, GeneralOption.minimumTTL,
            OutputOption.output,
        ] + CredentialOption.ofRole + MemberOption.ofRenewal.map(\.option) + RetryOption.all + GeneralOption.server,
        writesErrorDocuments: false, run: run)
}
