internal import CommandSpec
internal import OAuth
internal import Wire

/// `oap credential`: gives stored tokens to programs that ask a helper for them.
enum CredentialCommand {
    /// The protocols, with what each does.
    private static let protocols:
        [(name: String, run: @Sendable (CredentialRequest) throws(Failure) -> Exit, text: String)] = [
            (
                "git", GitCredential.run,
                """
                gitcredentials(7). `get` answers for `https` only. When git reports that the token was refused \
                (`erase`), the token is renewed. With `-p` and no usable token, git does not prompt for a password.
                """
            ),
            (
                "docker", DockerCredential.run,
                """
                The credential helpers of Docker, Podman and Skopeo: `get` and `list`. `store` fails, and `erase` \
                keeps the token. The program must be named `docker-credential-SUFFIX`; see `examples/`.
                """
            ),
            (
                "kubectl", KubernetesCredential.run,
                """
                An exec plugin of `client.authentication.k8s.io/v1` or `v1beta1`, as `KUBERNETES_EXEC_INFO` says. \
                Without `-p`, the address of the cluster chooses the token; the plugin's setting `provideClusterInfo` \
                passes it on.
                """
            ),
            ("bazel", BazelCredential.run, "`get` of a Bazel credential helper: the header field for a URI."),
            (
                "netrc", NetrcCredential.run,
                "A line for each host, for `-o ~/.netrc`. It must be written again before the token expires."
            ),
            (
                "keyring", KeyringCredential.run,
                """
                `get` of the `keyring` program, whose arguments come after `--`; for `pip` and `uv` with \
                `--keyring-provider subprocess`. The program must be named `keyring`; see `examples/`.
                """
            ),
            (
                "google", GoogleCredential.run,
                """
                An executable source of Google's external accounts: the ID token, or an access token that is a JWT. \
                A failure is a response too, with exit status 0, and nothing goes to standard error.
                """
            ),
            (
                "aws", AWSCredential.run,
                """
                `credential_process` of the AWS SDKs: temporary credentials of `--role-arn`, from the ID token or an \
                access token that is a JWT (`AssumeRoleWithWebIdentity`). `oap` does not keep them: a program asks \
                again before they expire, and the `aws` command at each start.
                """
            ),
        ]

    private static func run(_ session: Session) throws(Failure) -> Exit {
        let name = session.arguments.operand(0)
        guard let entry = protocols.first(where: { $0.name == name }) else {
            preconditionFailure("the parser allows the protocols alone")
        }
        return try entry.run(CredentialRequest(session))
    }

    /// The command.
    static let command = Command(
        "credential", section: "Log in and use a token", summary: "give a stored token to a program that asks for it",
        description: description,
        operands: [
            Operand(
                "PROTOCOL", choices: protocols.map(\.name), summary: "how the program asks",
                details: "The protocol of the program; see PROTOCOLS."),
            Operand(
                "ACTION", isRequired: false, summary: "what the program asks for, such as get",
                details: "What the program asks for, such as `get`. The program adds this operand itself."),
            Operand(
                "ARGUMENT", isRequired: false, isRepeatable: true, followsDashes: true,
                summary: "the program's further arguments", details: "The arguments of the program `keyring`."),
        ],
        options: [
            GeneralOption.profile, CredentialOption.allowOrigin, CredentialOption.username, CredentialOption.host,
            CredentialOption.idToken, GeneralOption.store, MinimumTTL.option,
            OutputOption.output,
        ] + AWSCredential.options + MemberOption.ofRenewal.map(\.option) + GeneralOption.server,
        examples: examples,
        sections: [
            ManualSection("PROTOCOLS", [.list(protocols.map { ManualItem("`\($0.name)`", $0.text) })])
        ],
        seeAlso: [
            ManualReference("oap-token", 1), ManualReference("oap-run", 1), ManualReference("gitcredentials", 7),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Speaks the helper protocol of another program, and hands out a stored access token, renewed first if little \
        time is left. It never asks the user anything.

        With `-p` the token of that name is handed out, but only for the origins that its document or its profile \
        names (`api_base`, `resource`, `api_origins`) or that `--allow-origin` adds. If neither names an origin, it is \
        handed out for every `https` URL. Without `-p`, the program's URL chooses the profile: the one whose \
        `api_base`, `resource` or `api_origins` has the same origin and the longest matching path. `OAP_PROFILE` is \
        not used. For a plain `http` URL, a token is handed out on loopback only.

        If there is no token for the URL, the command answers as the protocol wants it in this case: nothing for `git` \
        and `netrc`, an empty object for `bazel`, exit status 1 for `docker` and `keyring`.
        """

    private static let examples = [
        Example(
            "A credential helper for one server.",
            command: """
                git init -q checkout && git -C checkout config \\
                    credential.https://git.example.helper \\
                    '!oap credential git -p work'
                """),
        Example(
            "Credentials of a role, for every program that reads `AWS_CONFIG_FILE`.",
            command: """
                cat > aws.config <<'END'
                [default]
                credential_process = oap credential aws -p work --role-arn arn:aws:iam::123456789012:role/reader
                END
                """),
        Example(
            "What git reads from it.",
            command: """
                printf 'protocol=https\\nhost=git.example\\n\\n' |
                    oap credential git get -p work \\
                        --allow-origin https://git.example | grep user
                """, output: "username=oauth2"),
    ]
}
