package import Errands
internal import System

/// The mark of a login in progress for a name. It ends with the process, and does not lock the stored token.
package final class LoginMark {
    /// Whether another process logs in for this name.
    package let isSecond: Bool
    private let lock: StoreLock?

    /// Marks that this process logs in.
    ///
    /// - Parameter folder: the folder of the marks, which is made if needed.
    /// - Throws: ``StoreError``.
    package init(_ name: TokenName, in folder: String) throws(StoreError) {
        try PrivateFile.prepareFolder(folder)
        let held: StoreLock?
        do throws(StoreError) {
            held = try StoreLock("\(folder)/\(name.text).lock")
        } catch {
            guard case .locked = error else { throw error }
            held = nil
        }
        isSecond = held == nil
        lock = held
    }

    /// Whether a process logs in for a name.
    package static func isHeld(_ name: TokenName, in folder: String) -> Bool {
        let path = "\(folder)/\(name.text).lock"
        guard FileStamp(ofLink: path) != nil else { return false }
        do throws(StoreError) {
            _ = try StoreLock(path)
            return false
        } catch {
            return if case .locked = error { true } else { false }
        }
    }

    /// Waits for other processes that register a client for this name.
    package static func lock(_ name: TokenName, in folder: String) -> Attempt<StoreLock, StoreError> {
        attempting { () throws(StoreError) in
            try PrivateFile.prepareFolder(folder)
            // No name begins with a plus sign.
            return StoreLock.hold("\(folder)/+\(name.text).lock")
        }
    }
}
