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
                A credential helper of git; see gitcredentials(7). For `get`, `oap` gives the token as the password. \
                If a server refuses the token, git runs the helper with `erase`, and `oap` renews the token. If the \
                token that `-p` names cannot be used, `oap` tells git not to ask the user for a password.
                """
            ),
            (
                "docker", DockerCredential.run,
                """
                A credential helper of Docker, Podman and Skopeo. `get` gives the token. `list` prints the origins \
                that may get the token that `-p` names. `store` fails, and `erase` does nothing. Docker, Podman and \
                Skopeo run only helpers with names such as `docker-credential-SUFFIX`. The script \
                `examples/docker-credential-oauth` in the source of `oap` has such a name and runs this command: copy \
                it to a folder in `PATH`.
                """
            ),
            (
                "kubectl", KubernetesCredential.run,
                """
                An exec plugin of kubectl. Its API version is `client.authentication.k8s.io/v1`. If kubectl asks for \
                `v1beta1` in the environment variable `KUBERNETES_EXEC_INFO`, the plugin uses `v1beta1` instead. \
                Without `-p`, `oap` selects the token by the address of the cluster. kubectl passes this address to \
                `oap` only if the settings of the plugin have `provideClusterInfo: true`.
                """
            ),
            (
                "bazel", BazelCredential.run,
                """
                A credential helper of Bazel. For `get`, Bazel names a URI, and `oap` answers with the header field \
                that contains the token.
                """
            ),
            (
                "netrc", NetrcCredential.run,
                """
                Prints a line of `netrc(5)` for each host. `-o ~/.netrc` writes the lines to the file `~/.netrc`. Run \
                the command again before the token expires, since nothing else renews the token in this file.
                """
            ),
            (
                "keyring", KeyringCredential.run,
                """
                Replaces the program `keyring`. `pip` and `uv` run `keyring` if they are started with \
                `--keyring-provider subprocess`. `oap` supports only the command `get` of `keyring`. The arguments for \
                `keyring` come after `--`. `pip` and `uv` look for a program with the name `keyring`. The script \
                `examples/keyring` in the source of `oap` has this name and runs this command: copy it to a folder in \
                `PATH`.
                """
            ),
            (
                "google", GoogleCredential.run,
                """
                A credential executable for the Google Cloud libraries (external account credentials). `oap` gives the \
                ID token to the libraries. If there is no ID token, `oap` gives the access token. In this case, the \
                access token must be a JWT. If the command fails, the printed JSON describes the failure, as the \
                libraries expect. The exit status is 0 even after a failure, and nothing is printed on standard error.
                """
            ),
            (
                "aws", AWSCredential.run,
                """
                A `credential_process` of the AWS SDKs. `oap` sends the ID token to AWS (`AssumeRoleWithWebIdentity`), \
                and prints temporary credentials of the role that `--role-arn` names. If there is no ID token, `oap` \
                sends the access token. In this case, the access token must be a JWT. `oap` does not store the \
                temporary credentials. The AWS SDKs ask for new credentials before the old ones expire. The `aws` \
                command asks for new credentials at each start.
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
                details: "With `keyring`: the arguments with which `pip` or `uv` calls the program `keyring`."),
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
        Gives a stored access token to a program that asks a helper for credentials, such as git or docker. `oap \
        credential` works as this helper, and answers in the protocol of the program. If the token expires soon, `oap` \
        renews the token first. `oap` never asks the user anything.

        With `-p NAME`, `oap` gives the token that is stored under NAME, but only for the URLs of allowed origins. The \
        token document or the profile allows the origins of its `api_base`, `resource` and `api_origins`. The option \
        `--allow-origin` allows further origins. If neither the three members nor `--allow-origin` name an origin, \
        `oap` gives the token for every `https` URL.

        Without `-p`, `oap` selects a profile by the URL for which the program needs a credential. A profile matches \
        if its `api_base`, its `resource` or one of its `api_origins` has the origin of this URL. If several profiles \
        match, `oap` uses the one with the longest matching path prefix. The command ignores `OAP_PROFILE`. For a \
        plain `http` URL, `oap` gives a token only if the URL is on loopback.

        If there is no token for the URL, the answer depends on the protocol: `git` gets no output, `bazel` gets an \
        empty object, for `docker` and `keyring` the exit status is 1, and for `kubectl` the command fails. The \
        protocols `netrc`, `google` and `aws` have no URL, and need `-p`.
        """

    private static let examples = [
        Example(
            "Let git use `oap` as the credential helper for one server.",
            command: """
                git init -q checkout && git -C checkout config \\
                    credential.https://git.example.helper \\
                    '!oap credential git -p work --allow-origin https://git.example'
                """),
        Example(
            """
            Write an AWS configuration file. If `AWS_CONFIG_FILE` names this file, AWS programs get temporary \
            credentials of the role.
            """,
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
