internal import CommandSpec
internal import JOSE
internal import Redaction
internal import TokenStore
internal import Wire

/// The store that the command line and the variables select (oap-store(1), STORES).
enum StoreSelection {
    /// The store of `--store` or `OAP_STORE`, by default the folder of the user's tokens; sealed with the key of
    /// `OAP_STORE_KEY_FILE` or `OAP_STORE_KEY_COMMAND`.
    ///
    /// - Parameter redactor: masks what another program says.
    /// - Throws: exit 11 for an unknown store, a missing home, and a key that cannot be used.
    static func store(
        _ arguments: Arguments, _ environment: Environment, _ redactor: Redactor
    ) throws(Failure) -> any TokenStoring {
        let address =
            if let option = arguments.value(GeneralOption.store) { option } else {
                try variable("OAP_STORE", environment)
            }
        let key = try key(environment)
        let folders = environment.folders
        return try Failure.storing { () throws(StoreError) in
            let store: any TokenStoring =
                switch try address.map({ (text) throws(StoreError) in try StoreAddress(text) }) {
                case nil: FileStore(folder: try folders.tokens())
                case .file(let folder): FileStore(folder: folder)
                case .helper(let name):
                    HelperStore(
                        helper: name, locks: try folders.locks(), environment: Environment.forOtherPrograms,
                        masking: { redactor.redact($0, upTo: 1000) })
                }
            return SealedStore(over: store, key: key)
        }
    }

    /// The key that seals tokens; nil for none.
    ///
    /// - Throws: exit 11.
    private static func key(_ environment: Environment) throws(Failure) -> SymmetricKey? {
        let path = try variable("OAP_STORE_KEY_FILE", environment)
        guard let list = try variable("OAP_STORE_KEY_COMMAND", environment) else {
            return try path.map { (path) throws(Failure) in try Failure.storing(try SealedStore.key(at: path)) }
        }
        guard path == nil else { throw .file("both OAP_STORE_KEY_FILE and OAP_STORE_KEY_COMMAND are set") }
        if let known = environment.storeKey.key { return known }
        let file = try Failure.storing(try PrivateFile.read(list, isStrict: false))
        guard let file, let value = try? JSON(parsing: file.bytes) else {
            throw .file("the file \(list) of OAP_STORE_KEY_COMMAND is missing or is not JSON")
        }
        var bytes: [UInt8]
        do throws(Failure) {
            bytes = try SecretCommand(value, as: list).output(for: "the store's key")
        } catch {
            throw .file(error.message)
        }
        let key = try Failure.storing(try SealedStore.key(in: bytes, from: "the output of \(list)"))
        environment.storeKey.key = key
        return key
    }

    /// A variable of the store. An empty one is an error: the job of a fork, where the variable of a secret is empty,
    /// would otherwise store its token elsewhere, or unsealed.
    ///
    /// - Throws: exit 11 for one that is set but empty.
    private static func variable(_ name: String, _ environment: Environment) throws(Failure) -> String? {
        let text = try environment.text(name)
        guard text?.isEmpty != true else {
            throw .file("\(name) is set but empty", hint: "unset it, or give it a value")
        }
        return text
    }
}

extension Failure {
    /// Runs a step of the token store; its error becomes exit 11, or exit 2 for a bad name.
    static func storing<Value: ~Copyable>(
        _ step: @autoclosure () throws(StoreError) -> Value
    ) throws(Failure) -> Value {
        try storing(step)
    }

    /// Runs several steps of the token store, as `storing(_:)`.
    static func storing<Value: ~Copyable>(_ steps: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) {
            return try steps()
        } catch {
            if case .badName = error { throw .usage(error.message, hint: error.hint) }
            throw .file(error.message, hint: error.hint)
        }
    }
}
