internal import CommandSpec
internal import Engine
internal import Errands
internal import JOSE
internal import Redaction
internal import TokenStore
internal import Wire

/// The store that the command line and the variables select (oap-store(1), STORES): one for a process.
final class SelectedStore {
    private let address: String?
    private let environment: Environment
    private let redactor: Redactor
    private let engine: Engine
    private var selected: (any TokenStoring)?

    /// The store of `--store` or `OAP_STORE`, by default the folder of the user's tokens; sealed with the key of
    /// `OAP_STORE_KEY_FILE` or `OAP_STORE_KEY_COMMAND`.
    ///
    /// - Parameter redactor: masks what another program says.
    init(_ address: String?, _ environment: Environment, _ redactor: Redactor, _ engine: Engine) {
        (self.address, self.environment, self.redactor, self.engine) = (address, environment, redactor, engine)
    }

    func store() throws(Failure) -> any TokenStoring {
        if let selected { return selected }
        let store = try select()
        selected = store
        return store
    }

    private func select() throws(Failure) -> any TokenStoring {
        let address =
            if let address { address } else { try variable("OAP_STORE") }
        let key = try key()
        let redactor = redactor
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

    /// The key that seals tokens and flows; nil for none.
    ///
    /// - Throws: exit 11.
    func key() throws(Failure) -> SymmetricKey? {
        let path = try variable("OAP_STORE_KEY_FILE")
        guard let list = try variable("OAP_STORE_KEY_COMMAND") else {
            return try path.map { (path) throws(Failure) in try Failure.storing(try SealedStore.key(at: path)) }
        }
        guard path == nil else { throw .file("both OAP_STORE_KEY_FILE and OAP_STORE_KEY_COMMAND are set") }
        let file = try Failure.storing(try PrivateFile.read(list, isStrict: false))
        guard let file, let value = try? JSON(parsing: file.bytes) else {
            throw .file("the file \(list) of OAP_STORE_KEY_COMMAND is missing or is not JSON")
        }
        var bytes: [UInt8]
        do throws(Failure) {
            bytes = try engine.run(try SecretCommand(value, as: list).output(for: "the store's key"))
        } catch {
            throw .file(error.message)
        }
        return try Failure.storing(try SealedStore.key(in: bytes, from: "the output of \(list)"))
    }

    /// A variable of the store. An empty one is an error: the job of a fork, where the variable of a secret is empty,
    /// would otherwise store its token elsewhere, or unsealed.
    ///
    /// - Throws: exit 11 for one that is set but empty.
    private func variable(_ name: String) throws(Failure) -> String? {
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

    /// An errand of the token store; its error becomes exit 11.
    static func storing<Value>(_ errand: Attempt<Value, StoreError>) -> Attempt<Value, Failure> {
        errand.mapFailure(Failure.init)
    }

    /// Runs several steps of the token store, as `storing(_:)`.
    static func storing<Value: ~Copyable>(_ steps: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) {
            return try steps()
        } catch {
            throw Failure(error)
        }
    }

    /// A failure of the token store: exit 11, or exit 2 for a bad name.
    init(_ error: StoreError) {
        if case .badName = error {
            self = .usage(error.message, hint: error.hint)
        } else {
            self = .file(error.message, hint: error.hint)
        }
    }
}
