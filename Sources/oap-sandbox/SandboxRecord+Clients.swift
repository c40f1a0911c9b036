internal import CommandSpec

extension SandboxRecord {
    /// The clients, and what they may do.
    static let clients = ManualSection(
        "CLIENTS",
        [
            .text("Two clients are built in. `--client` adds a client. A client can also register itself (RFC 7591)."),
            .list([
                ManualItem(
                    "`sandbox`",
                    """
                    The client in the printed client document. Its secret is \
                    `sandbox-secret-for-tests-and-nothing-else`. It may use every grant, and authenticates with \
                    `client_secret_basic`, `client_secret_post` or `client_secret_jwt`.
                    """),
                ManualItem(
                    "`sandbox-public`",
                    """
                    A client without a secret. It may use the authorization code, device code and refresh token grants.
                    """),
            ]),
            .text(
                """
                The redirect URIs of the two built-in clients are `http://127.0.0.1/callback`, `http://[::1]/callback` \
                and `http://localhost/callback`, with any port. Authorization requests must use PKCE with S256. \
                `--pkce-optional` also allows requests without PKCE, and `--pkce-plain` allows the method `plain`.

                After a logout, the sandbox redirects the browser only if the `post_logout_redirect_uri` of the \
                request equals one of the client's `post_logout_redirect_uris` exactly. The built-in clients do not \
                have this member, and a client of `--client` may lack it. For such a client, the requested URI must \
                equal one of the client's redirect URIs instead. Only the port of a loopback address may differ.

                The scope values are `openid`, `profile`, `email`, `offline_access`, `user`, `repo` and `gist`, and \
                those that `--scope` adds. A login with an unknown scope value is refused. But if the login also asks \
                for `openid`, the unknown value is ignored. The only user is `ada`, unless `--user` names other users.

                When a client registers, the sandbox ignores the metadata that the sandbox does not support. If a \
                member has a value that the sandbox does not support, the sandbox registers the default value of the \
                member. The response to the registration lists the registered metadata.

                The public keys of a client are in its `jwks` or at its `jwks_uri`. The sandbox ignores a `jwks_uri` that \
                is neither `https` nor `http` on loopback. For `https`, `SSL_CERT_FILE` can name a file of further \
                trusted certificates. The sandbox fetches the keys when it first needs them. If none of the keys fits, the \
                sandbox fetches the keys again before it refuses the request, but at most once a second. A fetch may take \
                5 seconds, and the keys may have 64 KiB. Meanwhile, the sandbox answers other requests. It follows no \
                redirect. If a fetch fails, the sandbox prints a warning, and the error response has the reason.
                """),
        ])

    /// Authorization requests in a JWT.
    static let requestObjects = ManualSection(
        "REQUEST OBJECTS",
        text: """
            A client may send an authorization request as a request object (RFC 9101): the parameter `request` of the \
            authorization endpoint or of a pushed authorization request is a JWT that contains the parameters. Outside \
            of the request object, the sandbox uses only `client_id` and the parameters of the client authentication.

            The client signs a request object with one of its keys, or with its secret (HMAC). The request object \
            must contain the `client_id`. If it contains `iss`, `aud`, `exp` or `nbf`, the sandbox checks the value: \
            `iss` must be the `client_id`, and `aud` must contain the issuer. If the sandbox refuses a request object, \
            the error is `invalid_request_object`, and `error_description` has the reason.

            A client that has registered a `request_object_signing_alg` must use this algorithm. The sandbox accepts a \
            request object without a signature only from a client that has registered `none`. If a client has \
            registered `require_signed_request_object`, the sandbox refuses its requests without a request object. The \
            sandbox does not decrypt request objects (JWE), and fetches none: the `request_uri` of a request must come \
            from a pushed authorization request.
            """)
}
