internal import JOSE
internal import OAuth
internal import TokenStore
internal import Wire

extension Session {
    /// Keeps a flow until its redirect comes.
    ///
    /// - Throws: exit 11.
    func remember(_ flow: JSONObject) throws(Failure) {
        guard let state = flow["state"]?.string else { preconditionFailure("a flow was made without a state") }
        try Failure.storing { () throws(StoreError) in
            try FlowStore(folder: try folders.flows()).keep(
                JSON.object(flow).bytes + [0x0A], under: Self.key(state), now: now)
        }
    }

    /// Takes the flow of a state out of those that are kept.
    ///
    /// - Throws: exit 9 for a state that no flow is kept for, exit 11.
    func takeFlow(state: String) throws(Failure) -> JSONObject {
        let flow = try Failure.storing { () throws(StoreError) in
            try FlowStore(folder: try folders.flows()).take(Self.key(state), now: now)
        }
        guard let flow else {
            throw Failure(
                .insecure, .stateMismatch, "no flow with the state of the callback is remembered",
                hint: "oap authurl --remember keeps one for an hour, and it serves once: begin again")
        }
        return try Input.object(in: flow, name: "the remembered flow", exit: .fileFailed)
    }

    private static func key(_ state: String) -> String {
        let digits = Digest.sha256(Array(state.utf8)).flatMap { byte in
            [hexadecimalDigit(byte >> 4, lower: true), hexadecimalDigit(byte & 15, lower: true)]
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
