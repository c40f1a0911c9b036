package import Errands
package import System

extension SharedStore: TokenStoring {
    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            guard try LateAnswers(of: name, in: folder).all().isEmpty else {
                return hold(name) { held in held.load() }
            }
            return read(name).reading { (kept) throws(StoreError) in
                try kept.map { (kept) throws(StoreError) in try opened(kept, name) }
            }
        }
    }

    package func list() -> Attempt<[TokenName], StoreError> { records.list() }

    /// Changes when a process of this machine has seen another version.
    package func revision(of name: TokenName) -> Revision? { seen(name).stamp.map(Revision.file) }

    package func tryHold(_ name: TokenName, at moment: MonotonicTime) -> Attempt<any HeldToken, StoreError> {
        .pause(until: moment) {
            attempting { () throws(StoreError) in
                try PrivateFile.prepareFolder(folder)
                // The processes of one machine are one client of the engine.
                let lock = try StoreLock("\(folder)/\(name.text).lock")
                let held = ClaimedToken(name, in: self, lock: lock)
                return held.offerLate().onward { (_) throws(StoreError) in
                    free(name, until: .now + Self.look).then { result in
                        switch result {
                        case .success(let kept): held.known = kept
                        // It can still be removed.
                        case .failure(.corrupt): held.known = nil
                        case .failure(let error): return .done(.failure(error))
                        }
                        return .done(.success(held))
                    }
                }.keeping(lock)
            }
        }
    }

    /// The longest watch before the caller looks at other things.
    private static let look = Duration.seconds(10)
}
