internal import JOSE
internal import TokenStore
package import Wire
package import Shell
internal import Tokens

/// A flow that is stored until its redirect comes (`oap authurl --remember`).
package enum RememberedFlow {
    /// Stores a flow under its state.
    ///
    /// - Throws: exit 11.
    package static func keep(_ flow: JSONObject, of session: Session) throws(Failure) {
        guard let state = flow["state"]?.string else { preconditionFailure("a flow was made without a state") }
        let store = try store(session)
        try Failure.storing(
            try store.keep(JSON.object(flow).bytes + [0x0A], under: key(state), now: session.world.seconds))
    }

    /// Takes out the remembered flow of a state.
    ///
    /// - Throws: exit 9 if there is none or it was used before, exit 8 if it expired, exit 11.
    package static func take(_ state: String, of session: Session) throws(Failure) -> JSONObject {
        let store = try store(session)
        let outcome = try Failure.storing(try store.take(key(state), now: session.world.seconds))
        let again = "oap authurl --remember stores a flow for one hour and one redirect: begin again"
        switch outcome {
        case .taken(let flow): return try Input.object(in: flow, name: "the remembered flow", exit: .fileFailed)
        case .used:
            throw Failure(.insecure, .flowUsed, "the remembered flow of this redirect was used before", hint: again)
        case .expired:
            throw Failure(.loginNeeded, .flowExpired, "the remembered flow of this redirect has expired", hint: again)
        case .unknown:
            throw Failure(
                .insecure, .stateMismatch, "no remembered flow has the state of this redirect", hint: again)
        }
    }

    /// What may be shown of each flow that waits for its redirect.
    ///
    /// - Throws: exit 11.
    package static func list(_ session: Session) throws(Failure) -> [JSONObject] {
        let now = session.world.seconds
        let store = try store(session)
        let flows = try Failure.storing(try store.waiting(now: now))
        var entries: [JSONObject] = []
        for (_, bytes, end) in flows {
            guard let flow = (try? JSON(parsing: bytes))?.object else { continue }
            var entry: JSONObject = [:]
            for name in ["issuer", "client_id", "authorization_endpoint", "redirect_uri", "scope"] {
                entry[name] = flow[name]?.string.map { .string($0) }
            }
            entry["expires_at"] = .integer(end)
            entry["seconds_left"] = .integer(max(end - now, 0))
            entries.append(entry)
        }
        return entries
    }

    /// Forgets every flow that waits for its redirect.
    ///
    /// - Throws: exit 11.
    package static func forget(_ session: Session) throws(Failure) {
        let store = try store(session)
        try Failure.storing(try store.forget())
    }

    /// The flows of the user, sealed as stored tokens are.
    private static func store(_ session: Session) throws(Failure) -> FlowStore {
        let key = try session.inputs.storeKey()
        return try Failure.storing { () throws(StoreError) in
            FlowStore(folder: try session.environment.folders.flows(), key: key)
        }
    }

    /// The name under which a flow is stored: the digest of its state.
    package static func key(_ state: String) -> String { Digest.sha256.hexadecimal(state) }
}
