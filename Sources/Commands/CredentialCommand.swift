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
                A credential helper of git; see gitcredentials(7). For `get`, the token is given as the password. When \
                a server has refused the token, git runs the helper with `erase`, and the token is renewed. If `-p` \
                names a token that cannot be used, git is told not to ask the user for a password.
                """
            ),
            (
                "docker", DockerCredential.run,
                """
                A credential helper of Docker, Podman and Skopeo. `get` gives the token, and `list` prints the servers \
                that the token of `-p` is for. `store` fails, and `erase` does nothing. These programs run a helper by \
                the name `docker-credential-SUFFIX`: the folder `examples/` of the source has a script with such a \
                name.
                """
            ),
            (
                "kubectl", KubernetesCredential.run,
                """
                An exec plugin of kubectl. Its API is `client.authentication.k8s.io/v1`, or `v1beta1` if kubectl asks \
                for that in the variable `KUBERNETES_EXEC_INFO`. Without `-p`, the token is chosen by the address of \
                the cluster. kubectl passes this address on if the settings of the plugin have `provideClusterInfo: \
                true`.
                """
            ),
            (
                "bazel", BazelCredential.run,
                """
                A credential helper of Bazel. `get` gives the header field with the token for a URI.
                """
            ),
            (
                "netrc", NetrcCredential.run,
                """
                Prints a line of `netrc(5)` for each host. `-o ~/.netrc` writes the lines to that file, which must be \
                written again before the token expires.
                """
            ),
            (
                "keyring", KeyringCredential.run,
                """
                Replaces the program `keyring`, which `pip` and `uv` run with `--keyring-provider subprocess`. Only \
                the command `get` of `keyring` is supported. The arguments for `keyring` come after `--`. `pip` and \
                `uv` need a program with the name `keyring`: the folder `examples/` of the source has such a script.
                """
            ),
            (
                "google", GoogleCredential.run,
                """
                An executable that gives a token to the Google Cloud libraries (external account credentials). The \
                token is the ID token. If there is none, it is the access token, which must be a JWT. A failure is \
                described in the printed JSON, as the libraries expect it. The exit status is 0 in this case too, and \
                nothing is printed on standard error.
                """
            ),
            (
                "aws", AWSCredential.run,
                """
                A `credential_process` of the AWS SDKs. Sends the ID token to AWS (`AssumeRoleWithWebIdentity`), and \
                prints temporary credentials of the role `--role-arn`. If there is no ID token, the access token is \
                sent, which must be a JWT. `oap` does not store these credentials. A program asks for new ones before \
                they expire; the `aws` command asks at each start.
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
                details: """
                    What the program asks for, such as `get`. The program adds this operand when it runs the command.
                    """),
            Operand(
                "ARGUMENT", isRequired: false, isRepeatable: true, followsDashes: true,
                summary: "the program's further arguments",
                details: "The arguments with which a program runs `keyring`."),
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
        Gives a stored access token to a program that asks a helper for credentials, such as git or docker. The \
        command is that helper, and answers in the protocol of the program. If the token expires soon, it is renewed \
        first. The user is never asked anything.

        With `-p NAME`, the token that is stored under NAME is given, but only for certain origins. These are the \
        origins in `api_base`, `resource` and `api_origins` of the token document or the profile, and those of \
        `--allow-origin`. If there are no such members and options, the token is given for every `https` URL. Without \
        `-p`, the URL for which the program needs a credential decides which profile is used. It is a profile with an \
        `api_base`, a `resource` or one of the `api_origins` of the same origin as this URL. If there are several, \
        their paths are compared with the start of the URL's path: the longest match is used. `OAP_PROFILE` is not \
        used. For a plain `http` URL, a token is given only if the URL is on loopback.

        If there is no token for the URL, the answer depends on the protocol: `git` gets no output, `bazel` gets an \
        empty object, and for `docker` and `keyring` the exit status is 1. With any other protocol, the command fails.
        """

    private static let examples = [
        Example(
            "Make `oap` git's credential helper for one server.",
            command: """
                git init -q checkout && git -C checkout config \\
                    credential.https://git.example.helper \\
                    '!oap credential git -p work'
                """),
        Example(
            "Give temporary credentials of a role to every program that reads the file in `AWS_CONFIG_FILE`.",
            command: """
                cat > aws.config <<'END'
                [default]
                credential_process = oap credential aws -p work --role-arn arn:aws:iam::123456789012:role/reader
                END
                """),
        Example(
            "Show the user name that git gets from the helper.",
            command: """
                printf 'protocol=https\\nhost=git.example\\n\\n' |
                    oap credential git get -p work \\
                        --allow-origin https://git.example | grep user
                """, output: "username=oauth2"),
    ]
}
