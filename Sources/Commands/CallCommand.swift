internal import Calls
internal import CommandSpec
internal import HTTP
internal import JQ
internal import OAuth
internal import Wire

/// `oap call`: token → the API's answer.
enum CallCommand {
    /// The members that its options set.
    static let members = MemberOption.of("api_base", "authorization_scheme")

    /// Runs the command. The request is built first, so that usage errors are reported before a token is renewed.
    static func run(_ session: Session) throws(Failure) -> Exit {
        let arguments = session.arguments
        try BatchOption.check(arguments)
        try StreamOption.check(arguments)
        try CallTarget.check(
            arguments.operand(named: "URL"),
            names: StoredNames.both.names(in: session.environment, store: arguments.value(GeneralOption.store)))
        let source = try TokenSource(session.inputs, over: session.transport, members: members)
        guard !arguments.has(BatchOption.batch) else { return try runBatch(session, source) }
        let request = try CallRequest(
            arguments, document: source.document, isStandardInputFree: source.isStandardInputFree)
        if !source.isAnonymous {
            try CallTarget.checkOrigin(
                of: request.request.message.url, document: source.document,
                allowed: arguments.values(CallOption.allowOrigin))
        }
        if arguments.has(CallOption.dryRun) {
            let token = try source.shownToken()
            return try session.output().finish(
                line: CurlCommand(request.request, with: token, redactor: session.diagnostics.redactor).text
                    + session.transport.curlOptions(withCertificate: true))
        }
        let token = try source.firstToken()
        let pages = try PagedCall.walk(
            from: request.request, arguments, form: session.form, diagnostics: session.diagnostics)
        let download = try Download(arguments, form: session.form, for: request.request)
        let result = try CallResult(
            arguments, form: session.form, diagnostics: session.diagnostics,
            mayCompileLater: request.request.onlyReads && (token != nil || source.isAnonymous),
            keepsContent: pages?.keepsContent ?? false, showsProgress: pages == nil, download: download)
        var options = try session.transport.apiOptions()
        options.http11Only = arguments.has(CallOption.http11)
        request.adjust(&options)
        if download != nil { options.compressed = false }
        let cache = try CallCache(
            arguments, for: request.request, over: options, in: session.environment.folders,
            redactor: session.diagnostics.redactor)
        let call = SingleCall(request.request, result: result, cache: cache, diagnostics: session.diagnostics)
        let driver = try CallDriver(
            token: token, source: source,
            redirects: RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin)),
            retries: try RetryPolicy(arguments), over: session.transport, options: options,
            watching: session.form.watchedOutput, notifyRetry: { _, retry in session.diagnostics.tell(retry) },
            makeReceiver: { _, disposition in call.makeReceiver(disposition) })
        if let pages { return try pages.run(call, by: driver) }
        return try call.run(by: driver)
    }

    private static func runBatch(_ session: Session, _ source: TokenSource) throws(Failure) -> Exit {
        let arguments = session.arguments
        let requests = try BatchRequests(arguments, document: source.document)
        if arguments.has(CallOption.dryRun) {
            return try BatchListing(requests, token: source.likelyToken()).run(session)
        }
        let retries = try RetryPolicy(arguments)
        let batch = try Batch(session, requests: requests, retries: retries)
        var options = try session.transport.apiOptions()
        options.http11Only = arguments.has(CallOption.http11)
        options.multiplexes = true
        if requests.leavesOut("User-Agent") { options.userAgent = "" }
        if requests.leavesOut("Accept-Encoding") { options.compressed = false }
        return try batch.run(
            by: CallDriver(
                token: try source.firstToken(), source: source,
                redirects: RedirectPolicy(allowsCrossOrigin: !arguments.has(CallOption.noCrossOrigin)),
                retries: retries, over: session.transport, options: options, watching: session.form.watchedOutput,
                notifyRetry: { id, retry in batch.tell(id, retry) },
                makeReceiver: { id, disposition in batch.makeReceiver(id, disposition) }))
    }

    /// The command.
    static let command = Command(
        "call", section: "Log in and use a token", summary: "send a request to an API with a token",
        description: description,
        operands: [
            Operand(
                "NAME", isLeading: true, completes: StoredNames.both.completion,
                summary: "a profile and its stored token", details: "The same as `-p NAME`."),
            Operand(
                "URL", unless: BatchOption.batch, summary: "the URL or path",
                details: """
                    An absolute URL, or a path that begins with `/`. A path is relative to the `api_base` of the \
                    document.
                    """),
        ],
        options: CallOption.all + PageOption.all + StreamOption.all + BatchOption.all
            + (members + MemberOption.ofRenewal).map(\.option) + [MinimumTTL.option] + DerivedTokenOption.all
            + GeneralOption.tokenInput + OutputOption.all + [GeneralOption.noDiscovery] + GeneralOption.transport,
        refused: CallOption.others, examples: examples, sections: sections,
        seeAlso: [
            ManualReference("oap-exchange", 1), ManualReference("oap-refresh", 1), ManualReference("curl", 1),
        ],
        writesErrorDocuments: false, run: run)

    private static let description = """
        Sends a request to an API with the access token of the document, and prints the body of the response as it \
        arrives, byte for byte. Most options have the names that they have in `curl` or `gh`.

        JSON of up to 4 MiB is formatted, and a line end is added, if standard output is a terminal, or if `--pretty`, \
        `-c` or `--color always` is given. A longer response is printed unchanged.

        The token is sent in the `Authorization` field, never in the URL. If the document names the origins that the \
        token is for (`api_base`, `resource`, `api_origins`), the token is sent only to these and to the origin of the \
        `userinfo_endpoint`. A request to another origin fails with exit status 9, unless `--allow-origin` names this \
        origin. If the API redirects to another origin, the redirect is followed, but without the token. `--anonymous` \
        sends no token at all. Plain http is allowed on loopback only, and certificates are always checked.

        With `-p` or `--token-file`, the options `--scope`, `--resource`, `--audience` and `--exchange` use a derived \
        token of the login; see `oap-token(1)`. The derived token may be for another API than that of the `api_base`. \
        If exactly one `--resource` is given then, a path such as `/user` is appended to the URI of that resource, and \
        not to the `api_base`.

        After a temporary failure, the request is sent again; see RETRIES.

        If the status of the response is 400 or above, the exit status is 7, with these exceptions: for 429 it is 6. \
        For 408 and 5xx it is 6 if the request can be repeated safely (see RETRIES), and 12 if not. The body of such a \
        response is printed on standard error, unless `--error-body`, `--include` or `--envelope` is given. A filter \
        can use the variables `$status`, `$headers` (names in lower case) and `$url`.
        """

    private static let sections = [
        BatchOption.manual,
        ManualSection(
            "FILTERS",
            text: """
                The response must be JSON (RFC 8259), or a stream of JSON (see STREAMS), with at most 256 levels of \
                nesting. If an object has two members of the same name, the last one is used. Two kinds of filters run \
                while the response arrives, and need little memory: a plain path, such as `.items[].name`, and a \
                filter that begins with `.[] |`, if the response is an array. For any other filter, the response may \
                have at most 128 MiB and 32 million values.

                The first 4 MiB of output are printed only at the end of the response, and output beyond that at once. \
                If the response turns out not to be JSON, the exit status is 10. Output of less than 4 MiB is then not \
                printed at all. Of longer output, the part that was printed before stays.
                """),
        ManualSection(
            "RETRIES",
            text: """
                By default, a request is sent again up to 5 times. The reasons are a failed name lookup, connection or \
                TLS handshake, a timeout, a connection that breaks before the response, and a status of 408, 429, 500, \
                502, 503 or 504. If the check of the server's certificate fails, the request is not sent again. With \
                the methods `GET`, `HEAD`, `OPTIONS`, `TRACE`, `PUT` and `DELETE`, a request can be repeated safely. \
                With any other method, such as `POST` and `PATCH`, it is sent again only if nothing of it was sent \
                before, or with `--idempotency-key` or `--retry-all-methods`. After the first bytes of a response, \
                only a download with `-C -` is tried again.

                The pause before a retry has a random length. It is at most 0.5 seconds before the first retry. For \
                each further retry, this limit doubles, up to 30 seconds. If the server asks for a longer pause, `oap` \
                waits that long. The server asks for it with `Retry-After` (seconds or a date), and with a status of \
                403 or 429 also with `RateLimit`, `RateLimit-Reset` or `X-RateLimit-Reset`. The secondary rate limit \
                of GitHub has no such field. For it, the pause is one minute, then two minutes, and so on. If a pause \
                would end later than `--retry-max-time` allows, the command fails at once with exit status 6, and the \
                error document has `retry_after`. A rate limit with status 403 has exit status 6 too.

                If a request fails after a redirect, only the request to the new URL is repeated. The same holds for a \
                request that is repeated because the token was renewed. For each retry, a line is printed on standard \
                error. A body from a pipe is kept in memory, if it has at most 16 MiB. A request with a longer body \
                from a pipe is not sent again.
                """),
        ManualSection("PAGES", pages), StreamOption.manual, Download.manual, CallCache.manual,
    ]

    private static let pages: [ManualBlock] = [
        .text(
            """
            Many APIs return a list in pages. With `--paginate`, `oap` also requests the page that the response names \
            as `next` in its `Link` field (RFC 8288), and so on to the last page. Each page is printed on a new line, \
            and the filter of `--jq` runs on each page. With `-o`, the file is written after the last page, or not at \
            all.

            Other APIs return a cursor for the next page, in the body or in another header field. For such an API, the \
            filter of `--next` makes the request for the next page from the response. It can use the same variables \
            as the filter of `--jq`. Its output is one of these:
            """),
        .list([
            ManualItem(
                "a URL", "The URL of the next page. It may be relative to the URL of this page: `--next .links.next`."),
            ManualItem(
                "an object",
                """
                What changes in the request. `query` sets parameters in the URL of this page, and removes those that \
                are null: `--next '{query: {cursor: .next_cursor}}'`. `url` replaces the URL. `body` sets members in \
                the JSON body of the request. In nested objects, members that `body` does not name stay as they are. \
                So for GraphQL, `body` needs only the cursor.
                """),
            ManualItem(
                "null",
                """
                There is no next page. No output and an empty string mean the same. So does an object with nothing but \
                a `query` in which every value is null or an empty string. The example above gives such an object on \
                the last page.
                """),
        ]),
        .text(
            """
            The method and the header fields are the same for each page. So is the body, unless the output of `--next` \
            has a `body`. Without `--next`, the method must be `GET`. If the next page is at another origin than the \
            first page, the command fails with exit status 9, unless `--allow-origin` names this origin. A next page \
            with plain http after one with https fails too. If the next page has been requested before, the exit \
            status is 10. If a page fails, the pages before it are still printed, and the message names the number of \
            the failed page.

            While a page is filtered, the next page is already requested. If standard error is a terminal and standard \
            output is not, standard error shows the number of the page, unless `-s` is given.
            """),
    ]

    private static let examples = [
        Example(
            "Print a member of the response.", command: "oap call /user --jq .email -r < token.json",
            output: "ada@example.com"),
        Example(
            "Send a JSON body. The API of this example returns the request.",
            command: """
                oap call /echo -f description=notes -F public=false \\
                    --jq .json -c < token.json
                """, output: #"{"description":"notes","public":false}"#),
        Example(
            "Use a token from the environment.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                oap call -n "$OAP_API_BASE/user" --jq .login -r
                """, output: "ada"),
        Example(
            "Send several requests, and print a line for each response.",
            command: """
                export OAP_ACCESS_TOKEN="$(jq -r .access_token token.json)"
                printf '{"id":"a","url":"/user"}\\n{"id":"b","url":"/user","query":{"page":2}}\\n' |
                    oap call --batch --api-base "$OAP_API_BASE" --ordered --jq '[.id, .status]' -c
                """, output: "[\"a\",200]\n[\"b\",200]"),
        Example(
            "Count the elements of a list that has several pages.",
            command: "oap call /user/repos --paginate --slurp --jq length < token.json", output: "321"),
        Example(
            "Print a member of the first two elements of an array, without reading the others.",
            command: "oap call /user/repos --stream-each .name --max-items 2 -r < token.json",
            output: "difference-loom-1\nbernoulli-notes-2"),
        Example(
            "Show the exit status after an error of the API.",
            command: "oap call /status/404 < token.json || echo \"exit status $?\"", output: "exit status 7"),
    ]
}
