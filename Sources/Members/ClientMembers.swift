extension Member {
    /// What is known of the client.
    static let clientTable: [Member] = [
        Member(
            "client_id", .client, "RFC 6749 section 2.2", isIssued: true,
            text: "The identifier of the client at the server §.", argument: "ID",
            isShared: true, summary: "the client's identifier",
            details: "The client identifier that the authorization server issued (RFC 6749 section 2.2)."),
        Member(
            "client_metadata_document", .client, form: .url, variable: .withOption,
            text: """
                The https URL of the Client ID Metadata Document that the user has published. If there is no \
                `client_id`, and the server supports Client ID Metadata Documents, `oap login` uses this URL as the \
                `client_id`.
                """, summary: "the URL of the client's published metadata",
            details: """
                The https URL of the Client ID Metadata Document of the client \
                (draft-ietf-oauth-client-id-metadata-document). `oap register --metadata-document` prints a document \
                to publish at this URL. If there is no `client_id`, and `client_id_metadata_document_supported` in the \
                server's metadata is `true`, `oap login` uses this URL as the client identifier. If the server does \
                not support Client ID Metadata Documents, `oap login --register` registers a client instead.
                """),
        Member(
            "client_secret", .client, "RFC 6749 section 2.3.1", secrecy: .file, isIssued: true,
            hint: "use OAP_CLIENT_SECRET, --client-secret-file or the member \"client_secret_file\"",
            secretVariable: """
                The client secret, if the document has no client secret. If `OAP_CLIENT_ID` differs from the \
                `client_id` of the document, `oap` does not use `OAP_CLIENT_SECRET`. An empty `OAP_CLIENT_SECRET` is \
                an error.
                """,
            text: """
                The client's secret §. `oap` never writes the value of `OAP_CLIENT_SECRET` into a document.
                """, isShared: true,
            summary: "a file that holds the client secret",
            details: """
                Reads the client secret from this file, without the line end, when a request needs the secret. `oap` \
                writes the path of the file into the documents that it prints or stores, but never the secret. The \
                file can be a pipe, as in `--client-secret-file <(pass show x)`. `oap` does not write a path such as \
                `/dev/fd/63` into a document, so a later command needs the option again.
                """),
        Member(
            "token_endpoint_auth_method", .client, "RFC 7591 section 2",
            isRegistered: true,
            text: """
                How the client authenticates at the token endpoint: `none`, `client_secret_basic` or \
                `client_secret_post` §. `oap exchange` writes the method that it used into the token document.
                """, argument: "METHOD", choices: ClientAuthenticationMethod.allCases.map(\.rawValue),
            otherwise: "client_secret_basic with a secret", isShared: true,
            summary: "how the client authenticates",
            details: """
                How the client authenticates at the token endpoint (RFC 7591 section 2). For a client without a \
                secret, the default is `none`. For a client with a secret, the default is `client_secret_basic`. If \
                the server's metadata lists `client_secret_post`, but not `client_secret_basic`, the default for a \
                client with a secret is `client_secret_post`.
                """),
        Member(
            "basic_encoding", .client,
            text: """
                With `form`, the default, `oap` form-encodes the client's identifier and secret for HTTP Basic, as RFC \
                6749 section 2.3.1 requires. With `raw`, `oap` does not form-encode them. Use `raw` for a server that \
                does not decode the identifier and the secret.
                """,
            argument: "ENCODING", choices: BasicEncoding.allCases.map(\.rawValue), isShared: true,
            summary: "how HTTP Basic encodes the client's secret",
            details: """
                How `oap` encodes the client identifier and the client secret for HTTP Basic. With `form`, the \
                default, `oap` form-encodes them, as RFC 6749 section 2.3.1 requires. With `raw`, `oap` does not \
                form-encode them. Use `raw` for a server that does not decode the identifier and the secret.
                """),
        Member(
            "redirect_uri", .client, "RFC 6749 section 3.1.2",
            text: """
                The URI to which the server sends the browser after the login §. The default is \
                `http://127.0.0.1:0/callback`. If the URI is on loopback and has port 0, `oap` replaces the port with \
                a free one (RFC 8252 section 7.3).
                """, argument: "URI", otherwise: "http://127.0.0.1:0/callback", isShared: true,
            summary: "where the browser is sent after the login",
            details: """
                The redirect URI, exactly as it is registered at the server. The default is \
                `http://127.0.0.1:0/callback`. In a loopback URI, `oap` replaces port 0 with a free port.
                """),
        Member(
            "redirect_uris", .client, "RFC 7591 section 2", form: .list,
            isRegistered: true,
            text: """
                The redirect URIs that are registered at the server §. If the document has no `redirect_uri`, and \
                `redirect_uris` has exactly one URI, `oap` uses this URI. If exactly one of several URIs is an http \
                URI on loopback, `oap` uses this one.
                """),
        Member(
            "scope", .client, "RFC 6749 section 3.3", form: .scope, variable: .withOption, isRegistered: true,
            text: "The scope that the client asks for: scope values with spaces between them §.",
            otherwise: "that of the document, or the server's", isShared: true,
            summary: "the scope to ask for",
            details: """
                Scope values with spaces between them (RFC 6749 section 3.3). `oap` joins the values of several `--scope` \
                options. Without this option and without a \
                `scope` in the document, the server chooses the scope.
                """),
        Member(
            "id_token_signed_response_alg", .client, "OpenID Connect Registration section 2",
            isRegistered: true, text: "The only signature algorithm that `oap` accepts in ID tokens §.",
            argument: "ALG", isShared: true,
            summary: "how the server signs ID tokens for this client"),
        Member(
            "userinfo_signed_response_alg", .client, "OpenID Connect Registration section 2", isRegistered: true,
            text: """
                The only signature algorithm that `oap` accepts in the response of the userinfo endpoint. If the \
                document has this member, `oap` refuses an unsigned response §.
                """),
        Member(
            "introspection_signed_response_alg", .client, "RFC 9701 section 6", isRegistered: true,
            text: """
                The only signature algorithm that `oap` accepts in the response to `oap introspect`. If the document \
                has this member, `oap` refuses an unsigned response §.
                """),
        Member(
            "post_logout_redirect_uris", .client, "OpenID Connect RP-Initiated Logout section 3.1", form: .list,
            isRegistered: true,
            text: """
                The URIs to which the server may send the browser after the logout §. If the array has exactly one \
                URI, `oap end-session` uses this URI by default.
                """),
        Member(
            "default_max_age", .client, "OpenID Connect Registration section 2", form: .seconds,
            isRegistered: true,
            text: """
                If the document has no `max_age`, `oap` refuses an ID token with an `auth_time` more than \
                `default_max_age` seconds ago §.
                """),
        Member(
            "require_auth_time", .client, "OpenID Connect Registration section 2", form: .boolean,
            isRegistered: true,
            text: "With `true`, `oap` refuses an ID token that has no `auth_time`, the time of the login §."),
        Member(
            "require_pushed_authorization_requests", .client, "RFC 9126 sections 5 and 6", form: .boolean,
            isAnswered: true,
            isRegistered: true,
            text: "With `true`, `oap authurl` pushes the authorization request to the server, as with `--par` §."),
        Member(
            "dpop_bound_access_tokens", .client, "RFC 9449 section 5.2", form: .boolean,
            isRegistered: true,
            text: """
                With `true`, `oap` refuses to log in or to get a token, because it does not support tokens that are \
                bound to a DPoP key §.
                """),
        Member(
            "tls_client_certificate_bound_access_tokens", .client, "RFC 8705 section 3.4", form: .boolean,
            isRegistered: true,
            text: """
                With `true`, `oap` refuses to log in or to get a token, because it does not support tokens that are \
                bound to a certificate §.
                """),
        Member(
            "require_signed_request_object", .client, "RFC 9101 section 10.5", form: .boolean, isAnswered: true,
            isRegistered: true,
            text: "With `true`, `oap authurl` refuses the document: `oap` does not sign authorization requests §."),
    ]

    /// What a server does in a way of its own; presets are full of it.
    static let waysTable: [Member] = [
        Member(
            "authorization_params", .way, form: .json,
            text: "An object with additional parameters that `oap` sends in the authorization request."),
        Member(
            "token_params", .way, form: .json,
            text: """
                An object with additional parameters that `oap` sends in every token request except the refresh request.
                """),
        Member(
            "refresh_params", .way, form: .json,
            text: "An object with additional parameters that `oap` sends in the refresh request."),
        Member(
            "parameter_names", .way, form: .json,
            text: """
                An object that maps standard names of request parameters to the names at this server. With \
                `{"client_id":"client_key"}`, `oap` sends the `client_id` as `client_key`.
                """),
        Member(
            "grant_types", .way, "RFC 7591 section 2", form: .list, variable: Variable.none, isRegistered: true,
            text: """
                The grants that the client may use §. `oap exchange --grant` accepts standard grants, URNs, and the \
                names in this list.
                """, argument: "GRANT", otherwise: "authorization_code and refresh_token",
            section: "Client", summary: "a grant that the client may use",
            details: """
                A grant that the client may use (RFC 7591 section 2). The default is `authorization_code` and \
                `refresh_token`.
                """),
        Member(
            "scope_separator", .way,
            text: "The character that separates scope values in requests and responses. The default is a space."),
        Member(
            "pkce", .way, form: .boolean,
            text: """
                With `false`, `oap authurl` does not use PKCE, and prints a warning. Set `false` only for a server \
                that refuses PKCE.
                """),
        Member(
            "token_request_format", .way,
            text: "The format of the parameters in a token request: `form` (the default) or `json`."),
        Member(
            "refresh_resource", .way, form: .boolean,
            text: """
                With `false`, `oap` sends the refresh request without the parameter `resource`. Use `false` for a \
                server that refuses `resource` in refresh requests.
                """),
        Member(
            "refresh_other_scope", .way, form: .boolean,
            text: """
                With `true`, `oap` may send a refresh request for a scope that was not granted before. Set `true` for \
                a server that issues one refresh token for several APIs.
                """),
        Member(
            "refresh_endpoint", .way, form: .url,
            text: "The URL to which `oap` sends refresh requests. The default is the `token_endpoint`."),
        Member(
            "access_token_path", .way,
            text: """
                The path to the access token in the response of the token endpoint, for example \
                `authed_user.access_token`. A path consists of member names with dots between them. A number in the \
                path is the index of an array element; the first index is 0. `oap` also reads the other members of the \
                object that contains the access token, such as `expires_in`. If the response does not have this \
                object, `oap` reads the `access_token` at the top level of the response.
                """),
        Member(
            "error_path", .way,
            text: """
                The path to the error code in an error response, in the same form as `access_token_path`. If the \
                response has no `error_description`, `oap` uses the member `message` beside the error code, or else a \
                `message` at the top level of the response.
                """),
        Member(
            "answer_names", .way, form: .json,
            text: """
                An object that maps member names in the server's responses to standard names. With \
                `{"scopes":"scope"}`, `oap` reads the member `scopes` as the `scope` of RFC 6749. With \
                `{"scope":null}`, `oap` ignores the member `scope` of the response.
                """),
        Member(
            "bearer_token_types", .way, form: .list,
            text: "The value of `token_type` that this server sends instead of `Bearer`, or an array of such values."),
        Member(
            "revocation_style", .way,
            text: """
                How `oap` revokes tokens: `rfc7009` (the default) or `github`. With `rfc7009`, `oap` sends a request \
                to the `revocation_endpoint`. With `github`, `oap` deletes the access token through GitHub's API.
                """),
        Member(
            "api_base", .way, form: .url, variable: .ofAddress,
            text: "The base URL of the API. `oap call /path` appends `/path` to this URL.",
            section: "Server", isShared: true, summary: "the base URL of API paths such as /user",
            details: """
                The base URL of the path in `oap call /path`. `oap` may send the token to the origin of this URL.
                """),
        Member(
            "api_origins", .way, form: .list,
            text: """
                Additional origins to which `oap` may send the token, such as `https://api.example`. \
                `https://*.example.com` stands for every subdomain. The origins of `api_base`, `resource` and \
                `userinfo_endpoint` are always allowed.
                """),
        Member(
            "api_headers", .way, form: .json,
            text: "An object with header fields that `oap call` sends. `-H` overrides a field of the same name."),
        Member(
            "authorization_scheme", .way,
            text: """
                The scheme before the token in the header field `Authorization`. The default is `Bearer`.
                """, argument: "SCHEME", otherwise: "Bearer",
            section: "Client", summary: "the scheme of the Authorization header",
            details: """
                The scheme before the access token in the header field `Authorization`. The default is `Bearer`.
                """),
        Member(
            "authorization_header", .way,
            text: """
                The name of the header field that `oap` sends instead of `Authorization`. The value of this field is \
                the access token. A scheme stands before the token only if the document has an `authorization_scheme`.
                """),
        Member(
            "id_token_issuer", .way, form: .url,
            text: """
                The `iss` of ID tokens, for a server that has one `issuer` for many organizations (tenants). `oap` \
                replaces `{TID}` in this member with the claim `tid` of the ID token. The claim must be a UUID. If the \
                `issuer` already contains the UUID of a tenant, `oap` ignores `id_token_issuer`.
                """),
        Member("documentation", .way, form: .url, text: "The URL of the provider's documentation."),
        Member(
            "registration_page", .way, form: .url,
            text: "The URL of the page on which the user registers a client by hand."),
        Member(
            "registration_redirect_uri", .way,
            text: """
                The redirect URI to enter on the `registration_page`. `oap login --provider` writes this URI to the \
                profile as the `redirect_uri`. `--redirect-uri` overrides this URI. If `registration_redirect_uri` is \
                an http URI on loopback without a port, `oap` adds a free port at each login.
                """),
    ]
}
