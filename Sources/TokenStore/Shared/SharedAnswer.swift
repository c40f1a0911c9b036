internal import Errands
internal import Glibc
internal import System
internal import Wire

/// The last answer of an engine about one record, in a file of this machine. A process uses it if it began to wait before
/// the engine was asked. So thousands of processes that begin together send few requests, and none uses an old answer.
struct SharedAnswer {
    private let folder: String
    private let path: String
    private let clock: MachineClock

    init(about name: TokenName, in folder: String, by clock: MachineClock) {
        (self.folder, path, self.clock) = (folder, "\(folder)/\(name.text).answer", clock)
    }

    /// Waits while another process of this machine asks, but not forever: it may be stopped.
    ///
    /// - Parameter ask: asks the engine.
    func get(
        _ ask: @escaping () -> Attempt<SharedRecord?, StoreError>
    ) -> Attempt<SharedRecord?, StoreError> {
        // Where the folder cannot be used, each process asks.
        guard (try? PrivateFile.prepareFolder(folder)) != nil else { return ask() }
        let begin = clock.boot()
        return StoreLock.waiting(seconds: .random(in: 60...90), by: clock.now) { () throws(StoreError) in
            if let answer = answer(since: begin, ask) { return .done(.success(answer)) }
            let lock = try StoreLock("\(path)ing")
            // Another process may have asked before the lock was free.
            return .done(.success((answer(since: begin, ask) ?? asking(ask)).keeping(lock)))
        }.then { waited in (try? waited.get()) ?? ask() }
    }

    private func asking(_ ask: () -> Attempt<SharedRecord?, StoreError>) -> Attempt<SharedRecord?, StoreError> {
        let moment = clock.boot()
        return ask().then { answer in
            keep(answer, askedAt: moment)
            return .done(answer)
        }
    }

    /// The answer to a question that was asked later than a moment; nil if there is none. After a failure, which may be one
    /// of the other process alone, this one asks.
    private func answer(
        since begin: Int, _ ask: () -> Attempt<SharedRecord?, StoreError>
    ) -> Attempt<SharedRecord?, StoreError>? {
        guard let file = try? PrivateFile.read(path), let members = (try? JSON(parsing: file.bytes))?.object,
            let moment = members["asked"]?.integer, moment > begin, members["boot"]?.string == clock.start()
        else { return nil }
        guard members["failed"]?.bool == false else { return ask() }
        guard let record = members["record"]?.string, let revision = members["revision"]?.string else {
            return .done(.success(nil))
        }
        return .done(.success(SharedRecord(bytes: Array(record.utf8), revision: revision)))
    }

    /// The file need not be durable, and where it cannot be written the others ask.
    private func keep(_ answer: Result<SharedRecord?, StoreError>, askedAt moment: Int) {
        guard let start = clock.start(), let file = try? TemporaryFile(draftOf: path) else { return }
        defer { file.descriptor.close() }
        var members: JSONObject = ["asked": .integer(moment), "boot": .string(start), "failed": .bool(true)]
        switch answer {
        case .success(let record?):
            guard let text = String(validating: record.bytes, as: UTF8.self) else { break }
            (members["record"], members["revision"]) = (.string(text), .string(record.revision))
            members["failed"] = .bool(false)
        case .success(nil): members["failed"] = .bool(false)
        case .failure: break
        }
        if (try? file.write(JSON.object(members).bytes)) == nil || rename(file.path, path) != 0 { file.remove() }
    }

    /// Removes what is left of a token.
    func remove() { unlink(path) }
}
