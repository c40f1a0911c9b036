package import CommandSpec

/// What contradicts and needs what among the options of `call`.
package enum CallRules {
    package static var all: [OptionRule] { ofBatch + ofPages + ofStreams + ofBody + ofResult }

    /// A batch does not have the options of a single call, and its own have no meaning without it.
    private static let ofBatch: [OptionRule] = [
        .apart(
            [BatchOption.batch],
            from: [
                CallOption.method, CallOption.query, CallOption.data, CallOption.dataRaw, CallOption.dataBinary,
                CallOption.dataURLEncode, CallOption.get, CallOption.json, CallOption.rawField, CallOption.field,
                CallOption.inputFile, CallOption.form, CallOption.formString, CallOption.uploadFile,
                CallOption.remoteName, CallOption.continueAt, CallOption.include, CallOption.envelope,
                CallOption.errorBody, CallOption.anonymous, CallOption.cache, PageOption.paginate, PageOption.next,
                PageOption.maxPages, PageOption.slurp, StreamOption.streamEach, StreamOption.maxItems,
                OutputOption.exitStatus,
            ], hint: "each line of standard input is a request"),
        .needs(
            [BatchOption.ordered, BatchOption.parallel, BatchOption.rate, BatchOption.resume, BatchOption.shard],
            anyOf: [BatchOption.batch]),
    ]

    private static let ofPages: [OptionRule] = [
        .needs([PageOption.maxPages, PageOption.slurp], anyOf: [PageOption.paginate, PageOption.next]),
        .apart(
            [PageOption.paginate, PageOption.next], from: [CallOption.inputFile, CallOption.idempotencyKey],
            hint: "the request of each page would have the same value"),
        .apart([PageOption.slurp], from: [CallOption.include, CallOption.envelope]),
    ]

    private static let ofStreams: [OptionRule] = [
        .apart(StreamOption.all, from: [CallOption.envelope, PageOption.slurp]),
        .apart([StreamOption.streamEach], from: OutputOption.filters),
        .needs(
            [StreamOption.maxItems], anyOf: OutputOption.filters + [StreamOption.streamEach],
            hint: "add \(OutputOption.jq.name) . to print each event"),
    ]

    private static let data = CallOption.dataBodies
    private static let form = [CallOption.form, CallOption.formString]
    private static let onlyBody = "each of them sets the body"

    /// Of the bodies only one is sent. With `--input`, the fields go into the query, as in gh.
    private static let ofBody: [OptionRule] = [
        .apart(
            [
                data.words, [CallOption.json].words, [CallOption.inputFile].words, form.words,
                [CallOption.uploadFile].words,
            ], hint: onlyBody),
        .apart(
            data + [CallOption.json] + form + [CallOption.uploadFile], from: [CallOption.rawField, CallOption.field],
            hint: onlyBody),
        .apart(
            [CallOption.get], from: [CallOption.json, CallOption.inputFile] + form + [CallOption.uploadFile],
            hint: "\(CallOption.get.name) is for the data of -d, --data-raw, --data-binary and --data-urlencode"),
    ]

    private static let ofResult: [OptionRule] = [
        .apart([CallOption.include, CallOption.envelope]), .apart([OutputOption.output, CallOption.remoteName]),
        .needs([CallOption.continueAt], anyOf: [OutputOption.output, CallOption.remoteName]),
        .apart([
            [CallOption.continueAt].words,
            OptionRule.Group(
                OutputOption.filters + [
                    OutputOption.pretty, OutputOption.compactOutput, OutputOption.color,
                    CallOption.include, CallOption.envelope, CallOption.cache, PageOption.paginate, PageOption.next,
                ], [.option(CallOption.errorBody, values: [CallOption.ErrorBody.stdout.rawValue])]),
        ]),
        .apart(
            [CallOption.anonymous], from: [GeneralOption.tokenFile] + DerivedTokenOption.all,
            hint: "\(CallOption.anonymous.name) sends no token"),
    ]
}
