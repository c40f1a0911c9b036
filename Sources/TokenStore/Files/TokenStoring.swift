package import Errands
package import System

/// A store of tokens by name. It stores bytes and does not interpret them. What it is asked is an errand: a file answers
/// at once, a program or a server later.
package protocol TokenStoring {
    /// The token stored under a name; nil if there is none.
    func load(_ name: TokenName) -> Attempt<StoredToken?, StoreError>

    /// The names of the stored tokens, sorted.
    func list() -> Attempt<[TokenName], StoreError>

    /// What tells whether a token has changed, without a lock and without waiting; nil if the store cannot say.
    func revision(of name: TokenName) -> Revision?

    /// Takes the lock of a name, which is free again when the object is released. So it is called in a step of its own.
    ///
    /// - Parameter waits: whether a claim of another machine is waited for, for some seconds.
    /// - Throws: ``StoreError``; `locked` at once if another process has it.
    func tryHold(_ name: TokenName, waits: Bool) -> Attempt<any HeldToken, StoreError>

    /// Whether a token stays held for some time after its holder has died: who can do without it does not wait.
    var outlivesHolders: Bool { get }
}

/// What tells one version of a stored token from the next one.
package enum Revision: Sendable, Equatable {
    case file(FileStamp)
    /// What another store has for one.
    case text(String)
}

package struct StoredToken {
    package let bytes: [UInt8]
    package let revision: Revision
}

/// A stored token whose lock is held as long as the object lives. Only this type can change a stored token, so no caller
/// can forget the lock. Each store locks in its own way.
package protocol HeldToken: AnyObject {
    /// What holds it on this machine.
    var lock: StoreLock { get }

    /// The stored token; nil if there is none.
    func load() -> Attempt<StoredToken?, StoreError>

    /// Reserves room for this many bytes, if the store can, before a request that makes the stored token void.
    func reserve(_ count: Int) throws(StoreError)

    func releaseRoom()

    /// Stores bytes, whole or not at all; they are on the disk when it succeeds.
    ///
    /// - Parameter revision: that of the token that is replaced, as it was read; nil for any.
    /// - Returns: an errand; after a failure the stored bytes have not changed. `changed`: another version is stored.
    func save(_ bytes: [UInt8], over revision: Revision?) -> Attempt<Void, StoreError>

    /// Removes the token.
    ///
    /// - Returns: whether it existed.
    func remove() -> Attempt<Bool, StoreError>

    /// Claims the token over all machines that share the store, before a request that makes the stored token void.
    ///
    /// - Returns: an errand; `changed` if another version is stored than was read.
    func claim() -> Attempt<Void, StoreError>

    /// Gives up the claim, where nothing is saved.
    ///
    /// - Parameter isDoubtful: whether a request may have arrived whose answer did not come.
    func release(isDoubtful: Bool) -> Attempt<Void, StoreError>

    /// Whether other machines may use the token up, so that it must be claimed. Without that, the lock is enough.
    var needsClaim: Bool { get }

    /// The limits of the claim; nil without one, or once another machine has taken it over.
    var claimed: Claim? { get }
}

/// What a claim on a stored token allows its holder.
package struct Claim {
    /// The longest request, in seconds.
    package let seconds: Double
    /// Whether a request may begin now. It is asked last, before the first byte leaves.
    package let mayBegin: @Sendable () -> Bool
}

extension HeldToken {
    // The lock of one machine is enough for its own store.
    package func claim() -> Attempt<Void, StoreError> { .done(.success(())) }
    package func release(isDoubtful: Bool) -> Attempt<Void, StoreError> { .done(.success(())) }
    package var needsClaim: Bool { false }
    package var claimed: Claim? { nil }
}

extension TokenStoring {
    package var outlivesHolders: Bool { false }
    package func revision(of name: TokenName) -> Revision? { nil }

    /// Does something with a token while no other process works on it.
    ///
    /// - Parameters:
    ///   - seconds: the longest wait for the lock; 0 tries once.
    ///   - body: what is done; the lock is held until its errand is over.
    /// - Throws: `locked` when the time is over.
    package func hold<Value>(
        _ name: TokenName, seconds: Int = StoreLock.patience,
        _ body: @escaping (any HeldToken) throws(StoreError) -> Attempt<Value, StoreError>
    ) -> Attempt<Value, StoreError> {
        let held = StoreLock.waiting(seconds: seconds) { tryHold(name, waits: true) }
        return held.onward { (held: any HeldToken) throws(StoreError) in try body(held).keeping(held) }
    }
}
