package import Errands
internal import JOSE
internal import OAuth
package import TokenStore
internal import Wire
package import Shell

/// The store that the command line and the variables select (oap-store(1), STORES): one for a process.
final class SelectedStore {
    private let address: String?
    private let environment: Environment
    private let diagnostics: Diagnostics
    private let carrier: Carrier
    private let patience: Duration
    private var selected: (any TokenStoring)?
    /// See ``Seal/older``.
    private var older: SymmetricKey?
    /// Whether folders of a network are locked without asking.
    let sharing: SharedFolder

    /// The store of `--store` or `OAP_STORE`, by default the folder of the user's tokens; sealed with the key of
    /// `OAP_STORE_KEY_FILE` or `OAP_STORE_KEY_COMMAND`.
    init(
        _ settings: SubjectSettings, _ environment: Environment, _ diagnostics: Diagnostics, _ carrier: Carrier
    ) {
        let isTrusted = settings.trustsStore || (try? environment.text("OAP_STORE_TRUST")) == "1"
        sharing = isTrusted ? .trusted : .checked
        patience = settings.storePatience
        (address, self.environment, self.diagnostics, self.carrier) = (
            settings.store, environment, diagnostics, carrier
        )
    }

    func store() throws(Failure) -> any TokenStoring {
        if let selected { return selected }
        let store = try select()
        selected = store
        return store
    }

    /// Whether it may be searched for each URL that a program asks about: it is a folder, and opens without a program, which
    /// may want a pass phrase.
    var isFolder: Bool {
        get throws(Failure) {
            let text = if let address { address } else { try variable("OAP_STORE") }
            guard text?.hasPrefix("file:") != false else { return false }
            return try variable("OAP_STORE_KEY_COMMAND") == nil
        }
    }

    /// The store, which opens too what the key in a file has sealed.
    ///
    /// - Throws: as ``store()``; exit 11 without a new key.
    func store(openedBy path: String) throws(Failure) -> any TokenStoring {
        guard try key() != nil else {
            throw .file("no key is set to seal with", hint: "set OAP_STORE_KEY_FILE to the path of the new key")
        }
        older = try Failure.storing(try SealedStore.key(at: path))
        return try select()
    }

    private func select() throws(Failure) -> any TokenStoring {
        let text =
            if let address { address } else { try variable("OAP_STORE") }
        let key = try key()
        let address = try Failure.storing { () throws(StoreError) in
            try text.map { (text) throws(StoreError) in try StoreAddress(text) }
        }
        let redactor = diagnostics.redactor
        let folders = environment.folders
        let store: any TokenStoring =
            switch address {
            case nil: FileStore(folder: try Failure.storing(try folders.tokens()), sharing: sharing)
            case .file(let folder): FileStore(folder: folder, sharing: sharing)
            case .helper(let name):
                HelperStore(
                    helper: name, locks: try Failure.storing(try folders.locks()),
                    environment: Environment.forOtherPrograms, sharing: sharing,
                    masking: { redactor.redact($0, upTo: 1000) })
            case .etcd(let cluster):
                try shared(etcd(cluster), address, spelled: text ?? "", key)
            case .kubernetes(let place):
                try kubernetes(place, address, spelled: text ?? "", key)
            }
        return store is SharedStore
            ? store
            : SealedStore(over: store, key: key, older: older, place: address?.place ?? "file")
    }

    /// A store of several machines, which is always sealed.
    private func shared(
        _ records: any SharedRecords, _ address: StoreAddress?,
        of server: (spelled: String, canonical: String) = ("", ""), spelled text: String, _ key: SymmetricKey?
    ) throws(Failure) -> SharedStore {
        guard let key else {
            throw .file(
                "\(records.place): a store that machines share is sealed, and no key is set",
                hint: "set OAP_STORE_KEY_FILE; a new key: oap store key -o FILE")
        }
        let folders = try Failure.storing(try environment.folders.shared())
        func folder(_ text: String) -> String { "\(folders)/\(Digest.sha256.hexadecimal(text).prefix(16))" }
        let own = folder((address?.canonical ?? "") + server.canonical)
        // Earlier versions named it after the text of the address.
        try Failure.storing(try LateAnswers.adopt(from: folder(text + server.spelled), to: own))
        return SharedStore(
            over: records, key: key, older: older, place: address?.place ?? "", folder: own,
            patience: patience, identity: SpentToken.identity,
            tell: { [diagnostics] in diagnostics.tell($0) })
    }

    private func kubernetes(
        _ place: KubernetesAddress, _ address: StoreAddress?, spelled text: String, _ key: SymmetricKey?
    ) throws(Failure) -> SharedStore {
        let found = try carrier.route(Route())
        var route = Route()
        (route.proxy, route.noProxy) = (found.proxy, found.noProxy)
        let access = try Failure.storing(
            try KubernetesAccess(
                environment: { [environment] in (try? environment.value($0)) ?? nil }, along: route,
                convert: convertedKubeconfig, secret: secret, learn: { [diagnostics] in diagnostics.redactor.add($0) }))
        try check(access.route)
        // The address does not say which cluster it is.
        let server = WebURL(access.server).map { "\($0.origin)\($0.path)" } ?? access.server
        return try shared(
            KubernetesRecords(place, access: access), address, of: (" \(access.server)", " \(server)"),
            spelled: text, key)
    }

    /// The secret in a file, by the rules for all of them.
    private func secret(in path: String) throws(StoreError) -> String {
        do throws(Failure) {
            return try SecretText.read(path, as: "password", diagnostics)
        } catch {
            throw .shared("the store", reason: error.message, hint: error.hint)
        }
    }

    /// Checks the file of the key that proves who asks a cluster.
    private func check(_ route: Route) throws(Failure) {
        if let key = route.keyFile ?? route.certificateFile { try SecretFile.check(key, diagnostics) }
    }

    /// What kubectl makes of the kubeconfig, in JSON: it reads YAML, and joins several files.
    private func convertedKubeconfig() throws(StoreError) -> [UInt8] {
        let words = ["kubectl", "config", "view", "--raw", "--flatten", "--minify", "-o", "json"]
        do throws(Failure) {
            return try carrier.output(try SecretCommand(.strings(words), as: "kubectl").output(for: "the kubeconfig"))
        } catch {
            throw .shared(
                "Kubernetes", reason: "kubectl, which reads the kubeconfig if it is YAML: \(error.message)",
                hint: "where kubectl is: \(words.joined(separator: " ")) > FILE; KUBECONFIG=FILE")
        }
    }

    private func etcd(_ cluster: EtcdAddress) throws(Failure) -> EtcdRecords {
        var route = Route()
        route.caCertificateFile = try variable("OAP_ETCD_CACERT")
        route.certificateFile = try variable("OAP_ETCD_CERT")
        route.keyFile = try variable("OAP_ETCD_KEY")
        let (user, path) = (try variable("OAP_ETCD_USER"), try variable("OAP_ETCD_PASSWORD_FILE"))
        try check(route)
        return EtcdRecords(
            cluster, user: user,
            password: { () throws(StoreError) in
                if let path { try self.secret(in: path) } else { nil }
            },
            route: route, learn: { [diagnostics] in diagnostics.redactor.add($0) })
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
            bytes = try carrier.output(try SecretCommand(value, as: list).output(for: "the store's key"))
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
    package static func storing<Value: ~Copyable>(
        _ step: @autoclosure () throws(StoreError) -> Value
    ) throws(Failure) -> Value {
        try storing(step)
    }

    /// An errand of the token store; its error becomes exit 11.
    package static func storing<Value>(_ errand: Attempt<Value, StoreError>) -> Attempt<Value, Failure> {
        errand.mapFailure(Failure.init)
    }

    /// Runs several steps of the token store, as `storing(_:)`.
    package static func storing<Value: ~Copyable>(_ steps: () throws(StoreError) -> Value) throws(Failure) -> Value {
        do throws(StoreError) {
            return try steps()
        } catch {
            throw Failure(error)
        }
    }

    /// A failure of the token store: exit 11, exit 2 for a bad name, or exit 6 for a cluster that may answer later.
    package init(_ error: StoreError) {
        switch error {
        case .badName: self = .usage(error.message, hint: error.hint)
        case .away: self.init(.unavailable, .network, error.message, hint: error.hint)
        default: self = .file(error.message, hint: error.hint)
        }
    }
}
