package import Errands
internal import System

extension SharedStore: TokenStoring {
    package var outlivesHolders: Bool { true }

    package func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        attempting { () throws(StoreError) in
            guard try LateAnswers(of: name, in: folder).all().isEmpty else { return offered(name) }
            return loaded(name)
        }
    }

    private func loaded(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        read(name).reading { (kept) throws(StoreError) in try opened(kept, name) }
    }

    /// Offers late answers of this machine, unless another of its processes does, and reads the token. It does not wait for
    /// claims.
    private func offered(_ name: TokenName) -> Attempt<StoredToken?, StoreError> {
        .later {
            guard let lock = try? lock(name) else { return loaded(name) }
            // What is wrong with the store is said by the reading.
            return ClaimedToken(name, in: self, lock: lock).offerLate().then { _ in loaded(name) }.keeping(lock)
        }
    }

    /// Offers what is in a file with an answer that another machine received and could not store.
    ///
    /// - Throws: `corrupt` for other bytes; as ``load(_:)``, `locked`.
    package func offer(_ bytes: [UInt8], to name: TokenName) -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            guard let answer = LateAnswers.answer(in: bytes, at: nil) else {
                throw .corrupt(path: "standard input", reason: "it is no file of an answer that came late")
            }
            _ = try seal.opening(Array(answer.token.utf8), name)
            try PrivateFile.prepareFolder(folder)
            return StoreLock.hold("\(folder)/\(name.text).lock").onward { (lock) throws(StoreError) in
                let held = ClaimedToken(name, in: self, lock: lock)
                return held.offer(answer).reading { tell(ofOffer: $0) }.keeping(lock)
            }
        }
    }

    func tell(ofOffer isStored: Bool) {
        tell(
            isStored
                ? "a token that an earlier process received is stored now"
                : "a token that an earlier process received was older than the stored one, and is dropped")
    }

    /// The processes of one machine are one client of the engine.
    private func lock(_ name: TokenName) throws(StoreError) -> StoreLock {
        try StoreLock("\(folder)/\(name.text).lock")
    }

    package func list() -> Attempt<[TokenName], StoreError> { patiently { records.list() } }

    /// Changes when a process of this machine has seen another version.
    package func revision(of name: TokenName) -> Revision? { seen(name).stamp.map(Revision.file) }

    package func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError> {
        attempting { () throws(StoreError) in
            try PrivateFile.prepareFolder(folder)
            let lock = try lock(name)
            let held = ClaimedToken(name, in: self, lock: lock)
            return held.offerLate().onward { (_) throws(StoreError) in
                free(name, within: waits ? Self.look : 0)
            }.then { (result: Result<Kept?, StoreError>) -> Attempt<any HeldToken, StoreError> in
                switch result {
                case .success(let kept): held.found(kept)
                // It can be deleted.
                case .failure(let error) where error.isCorrupt: held.found(error)
                case .failure(let error): return .done(.failure(error))
                }
                return .done(.success(held))
            }.keeping(lock)
        }
    }
}

extension StoreError {
    fileprivate var isCorrupt: Bool { if case .corrupt = self { true } else { false } }
}
