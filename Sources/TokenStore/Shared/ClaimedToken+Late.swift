internal import Errands

/// Keeps the answers that this machine received and the store does not have.
extension ClaimedToken {
    /// Stores the answer to a request that has used the refresh token up.
    ///
    /// - Parameters:
    ///   - from: what tells the used token.
    ///   - own: the claim under which the request was sent.
    /// - Throws: `changed` if the store has a newer token.
    func keep(_ sealed: String, from: String, over own: Own) -> Attempt<Void, StoreError> {
        let late = LateAnswers(of: name, in: store.folder)
        // On the disk before anything else: nothing else has it.
        let answer = late.keep(sealed, from: from, nonce: own.claim.nonce)
        let record = ClaimedRecord(token: sealed)
        return store.records.replace(name, with: record.bytes, over: own.revision).then { [self] result in
            if case .success(.done(let revision)) = result {
                late.forget(answer)
                return wrote(record, revision)
            }
            return offer(answer).then { [self] result in
                switch result {
                case .success(true): return .done(.success(()))
                case .success(false): return .done(.failure(changed))
                case .failure(let error):
                    guard let path = answer.path else { return .done(.failure(error)) }
                    store.tell("the new token is kept in \(path) until the store has it: \(error.message)")
                    return .done(.success(()))
                }
            }
        }
    }

    /// Offers the store what this machine received and could not store.
    func offerLate() -> Attempt<Void, StoreError> {
        attempting { () throws(StoreError) in
            func next(_ rest: ArraySlice<(path: String, answer: LateAnswers.Answer?)>) -> Attempt<Void, StoreError> {
                guard let (path, answer) = rest.first else { return .done(.success(())) }
                // One of another key is none of this store's.
                guard let answer, (try? store.seal.opening(Array(answer.token.utf8), name)) != nil else {
                    store.tell("\(path) holds a token that was not stored, and cannot be read")
                    return next(rest.dropFirst())
                }
                return offer(answer).onward { [self] (isStored) in
                    store.tell(ofOffer: isStored)
                    return next(rest.dropFirst())
                }
            }
            return next(try LateAnswers(of: name, in: store.folder).all()[...])
        }
    }

    /// Stores an answer if the record is still what it was asked with, even over a claim of another machine.
    ///
    /// - Returns: whether the store has it. The file is gone then, and also where the store has a newer one.
    func offer(_ answer: LateAnswers.Answer) -> Attempt<Bool, StoreError> {
        put(answer.token) { [self] (kept) throws(StoreError) in
            // What cannot be opened with the key here is neither replaced nor dropped.
            guard let stored = try store.opened(kept, name), store.identity(of: stored.bytes)?.hash == answer.from
            else { return nil }
            return ClaimedRecord(token: answer.token)
        }.reading { [self] (isStored) throws(StoreError) in
            LateAnswers(of: name, in: store.folder).forget(answer)
            return isStored
        }
    }
}
