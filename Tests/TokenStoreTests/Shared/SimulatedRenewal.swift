import Errands
import System

@testable import TokenStore

/// What a process does that needs a token of a number or a later one, as `TokenRenewal` does it.
struct SimulatedRenewal {
    enum End { case token(Int), loginNeeded, noAnswer }

    /// What becomes of a request on the network.
    enum Reply { case answered, refusedForNow, requestLost, answerLost, heldUp }

    let world: SimulatedWorld
    let process: SimulatedWorld.Process
    let store: SharedStore
    let need: Int

    func errand() -> Attempt<End, StoreError> {
        store.load(world.name).onward { (kept) throws(StoreError) in
            if let end = end(kept) { return .done(.success(end)) }
            return holding()
        }
    }

    /// Waits for the lock and for the claims of others.
    private func holding() -> Attempt<End, StoreError> {
        store.held(world.name).then { result in
            switch result {
            case .success(let held): return begin(held, left: 3).keeping(held)
            case .failure(.locked):
                return .pause(until: world.time.now + .milliseconds(200)) { errand() }
            case .failure(let error): return .done(.failure(error))
            }
        }
    }

    private func end(_ kept: StoredToken?) -> End? {
        guard let kept, let number = TokenText.number(of: kept.bytes) else { return .loginNeeded }
        if number >= need { return .token(number) }
        return TokenText.isRefused(kept.bytes) ? .loginNeeded : nil
    }

    private func begin(_ held: ClaimedToken, left: Int) -> Attempt<End, StoreError> {
        held.load().onward { (kept) throws(StoreError) in
            if let end = end(kept) { return .done(.success(end)) }
            guard left > 0, let kept, let number = TokenText.number(of: kept.bytes) else {
                return .done(.success(.noAnswer))
            }
            return held.claim().then { result in
                switch result {
                case .success: return send(number, held, left)
                case .failure(.changed): return begin(held, left: left - 1)
                case .failure(let error): return .done(.failure(error))
                }
            }
        }
    }

    private func send(_ number: Int, _ held: ClaimedToken, _ left: Int) -> Attempt<End, StoreError> {
        guard let claim = held.claimed, let nonce = held.known?.record.claim?.nonce else {
            preconditionFailure("it was claimed")
        }
        let isNamed = held.known?.record.again ?? 0 > 0
        // It connects.
        return .pause(until: world.time.now + .milliseconds(Int.random(in: 0...3000, using: &world.random))) {
            guard claim.mayBegin() else {
                return held.release(isDoubtful: false).onward { _ in begin(held, left: left - 1) }
            }
            process.wasStopped = false
            // Between the look at the clock and the first byte.
            return .pause(until: world.time.now) {
                world.noteSent(number, isNamed: isNamed, nonce: nonce, wasStopped: process.wasStopped)
                return request(number, held, left)
            }
        }
    }

    private func request(_ number: Int, _ held: ClaimedToken, _ left: Int) -> Attempt<End, StoreError> {
        let reply = world.reply()
        let (start, limit) = (world.time.now, world.time.now + .seconds(6))
        if reply == .heldUp { world.holdUp { [world] in _ = world.issuer.take(number) } }
        return .pause(until: start + .milliseconds(Int.random(in: 0...2000, using: &world.random))) {
            switch reply {
            case .requestLost, .heldUp: return .pause(until: limit) { lost(held) }
            case .refusedForNow:
                world.issuer.forget(number)
                return held.release(isDoubtful: false).onward { _ in .done(.success(.noAnswer)) }
            case .answerLost:
                _ = world.issuer.take(number)
                return .pause(until: limit) { lost(held) }
            case .answered:
                let answer = world.issuer.take(number)
                // It is on its way.
                return .pause(until: world.time.now) {
                    answer.map { received($0, held) } ?? refused(number, held, left)
                }
            }
        }
    }

    private func lost(_ held: ClaimedToken) -> Attempt<End, StoreError> {
        held.release(isDoubtful: true).onward { _ in .done(.success(.noAnswer)) }
    }

    private func received(_ number: Int, _ held: ClaimedToken) -> Attempt<End, StoreError> {
        held.save(TokenText.token(number), over: nil).then { result in
            switch result {
            case .success, .failure(.changed): .done(.success(.token(number)))
            case .failure(let error): .done(.failure(error))
            }
        }
    }

    private func refused(_ number: Int, _ held: ClaimedToken, _ left: Int) -> Attempt<End, StoreError> {
        held.load().onward { (kept) throws(StoreError) in
            if let end = end(kept) { return .done(.success(end)) }
            guard let kept, TokenText.number(of: kept.bytes) == number, held.claimed != nil else {
                return begin(held, left: left - 1)
            }
            return held.save(TokenText.refused(number), over: kept.revision).then { result in
                switch result {
                case .success: .done(.success(.loginNeeded))
                case .failure(.changed): begin(held, left: left - 1)
                case .failure(let error): .done(.failure(error))
                }
            }
        }
    }
}
