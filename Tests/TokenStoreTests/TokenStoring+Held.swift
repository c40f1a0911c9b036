import Engine
import Errands
import HTTP
@testable import TokenStore
import Wire

/// Carries errands of a store out. No store of these tests sends anything.
private func done<Value>(_ errand: Attempt<Value, StoreError>) throws(StoreError) -> Value {
    let engine = Engine(
        options: { () throws(HTTPError) in throw .library("not here") },
        open: { () throws(HTTPError) in throw .library("not here") })
    return try engine.run(errand)
}

extension TokenStoring {
    /// The bytes stored under a name; nil if there are none.
    func read(_ name: TokenName) throws(StoreError) -> [UInt8]? { try done(load(name))?.bytes }

    /// The names of the stored tokens, sorted.
    func names() throws(StoreError) -> [TokenName] { try done(list()) }

    /// Waits for the lock of a name.
    func hold(_ name: TokenName, seconds: Int = StoreLock.patience) throws(StoreError) -> Held {
        Held(try done(hold(name, seconds: seconds) { held in .done(.success(held)) }))
    }

    /// Stores bytes, with the lock held for as long as that takes.
    func write(_ bytes: [UInt8], as name: TokenName) throws(StoreError) { try hold(name).write(bytes) }

    /// Forgets a token, with the lock held for as long as that takes.
    func remove(_ name: TokenName) throws(StoreError) -> Bool { try hold(name).remove() }
}

/// A stored token whose lock is held as long as the value lives.
struct Held {
    private let held: any HeldToken

    fileprivate init(_ held: any HeldToken) { self.held = held }

    func read() throws(StoreError) -> [UInt8]? { try done(held.load())?.bytes }

    func reserve(_ count: Int) throws(StoreError) { try held.reserve(count) }

    func releaseRoom() { held.releaseRoom() }

    func write(_ bytes: [UInt8]) throws(StoreError) { try done(held.save(bytes, over: nil)) }

    /// Stores bytes over the version that is stored now, or over the one that was read with a token.
    func write(_ bytes: [UInt8], over token: StoredToken?) throws(StoreError) {
        try done(held.save(bytes, over: token?.revision))
    }

    func token() throws(StoreError) -> StoredToken? { try done(held.load()) }

    func remove() throws(StoreError) -> Bool { try done(held.remove()) }
}

extension HelperProgram {
    /// Runs the program.
    func answer(to action: String, input: String = "") throws(StoreError) -> Answer {
        try done(run(action, input: input))
    }
}

extension StoreLock {
    /// Waits for the lock.
    static func held(_ path: String, seconds: Int) throws(StoreError) -> StoreLock {
        try done(hold(path, seconds: seconds))
    }
}
