internal import CommandSpec

/// What contradicts and needs what among the options of `call`.
enum CallRules {
    /// The rules; those of a batch come first.
    static var all: [OptionRule] { ofBatch + ofPages + ofStreams + ofBody + ofResult }

    /// A batch does not have the options of a single call, and its own have no meaning without it.
    private static var ofBatch: [OptionRule] {
        let common = [
            CallOption.header, CallOption.userAgent, CallOption.http11, CallOption.compressed,
            CallOption.noCrossOrigin, CallOption.allowOrigin, CallOption.dryRun, CallOption.retry,
            CallOption.retryDelay, CallOption.retryMaxTime, CallOption.retryAllMethods, CallOption.idempotencyKey,
            CallOption.silent,
        ]
        let others = CallOption.all + PageOption.all + StreamOption.all + [OutputOption.exitStatus]
        return [
            .apart(
                [BatchOption.batch], from: others.filter { !(common + CallOption.habits).contains($0) },
                hint: "each line of standard input is a request"),
            .needs(BatchOption.all.filter { $0 != BatchOption.batch }, anyOf: [BatchOption.batch]),
        ]
    }

    private static let ofPages: [OptionRule] = [
        .needs([PageOption.maxPages, PageOption.slurp], anyOf: [PageOption.paginate, PageOption.next]),
        .apart(
            [PageOption.paginate, PageOption.next], from: [CallOption.inputFile, CallOption.idempotencyKey],
            hint: "the request of each page would have the same value"),
        .apart([PageOption.slurp], from: [CallOption.include, CallOption.envelope]),
    ]

    private static let ofStreams: [OptionRule] = [
        .apart(StreamOption.all, from: [CallOption.envelope, PageOption.slurp]),
        .apart([StreamOption.streamEach, OutputOption.jq]),
        .needs(
            [StreamOption.maxItems], anyOf: [OutputOption.jq, StreamOption.streamEach],
            hint: "add \(OutputOption.jq.name) . to print each event"),
    ]

    /// Of the bodies only one is sent. With `--input`, the fields go into the query, as in gh.
    private static var ofBody: [OptionRule] {
        let (bodies, fields) = (CallOption.bodies, [CallOption.rawField, CallOption.field])
        let hint = "each of them sets the body"
        return [
            .apart(bodies.filter { $0 != fields }.map(\.words), hint: hint),
            .apart(
                bodies.joined().filter { !(fields + [CallOption.inputFile]).contains($0) }, from: fields, hint: hint),
            .apart(
                [CallOption.get],
                from: [
                    CallOption.json, CallOption.inputFile, CallOption.form, CallOption.formString,
                    CallOption.uploadFile,
                ], hint: "\(CallOption.get.name) is for the data of -d, --data-raw, --data-binary and --data-urlencode"),
        ]
    }

    private static let ofResult: [OptionRule] = [
        .apart([CallOption.include, CallOption.envelope]), .apart([OutputOption.output, CallOption.remoteName]),
        .needs([CallOption.continueAt], anyOf: [OutputOption.output, CallOption.remoteName]),
        .apart([
            [.option(CallOption.continueAt)],
            [
                OutputOption.jq, OutputOption.pretty, OutputOption.compactOutput, OutputOption.color,
                CallOption.include, CallOption.envelope, CallOption.cache, PageOption.paginate, PageOption.next,
            ].words + [.option(CallOption.errorBody, values: ["stdout"])],
        ]),
        .apart(
            [CallOption.anonymous], from: [GeneralOption.tokenFile] + DerivedTokenOption.all,
            hint: "\(CallOption.anonymous.name) sends no token"),
    ]
}
