package import Errands
internal import Glibc
internal import System
internal import Wire

/// How to reach the API of a Kubernetes cluster, and as whom: as `KUBECONFIG` says, else as the service account of the pod
/// that this process runs in, else as `~/.kube/config` says.
package struct KubernetesAccess {
    /// `https://HOST:PORT`, perhaps with a path.
    package private(set) var server = ""
    package private(set) var route: Route
    /// Is told each secret.
    let learn: (String) -> Void
    /// Reads the secret in a file.
    private let secret: (String) throws(StoreError) -> String
    private var givenToken: String?
    private var tokenFile: String?
    /// What the route has as paths and is not in files.
    private var files: [MemoryFile] = []

    /// - Parameters:
    ///   - environment: the variables that are not empty.
    ///   - route: the proxy.
    ///   - secret: the one in a file.
    ///   - convert: what kubectl makes of the kubeconfig, in JSON, where it is YAML or several files.
    /// - Throws: `shared` where no cluster is known; `system`, `unsafe`.
    package init(
        environment: (String) -> String?, along route: Route, convert: () throws(StoreError) -> [UInt8],
        secret: @escaping (String) throws(StoreError) -> String, learn: @escaping (String) -> Void
    ) throws(StoreError) {
        (self.route, self.secret, self.learn) = (route, secret, learn)
        if let list = environment("KUBECONFIG") {
            try read(kubeconfig: list.split(separator: ":").map(String.init), convert)
            return
        }
        if let host = environment("KUBERNETES_SERVICE_HOST"), let port = environment("KUBERNETES_SERVICE_PORT"),
            access(Self.account + "/token", F_OK) == 0
        {
            server = "https://\(host.contains(":") ? "[\(host)]" : host):\(port)"
            (self.route.caCertificateFile, tokenFile) = (Self.account + "/ca.crt", Self.account + "/token")
            return
        }
        guard let home = environment("HOME"), access("\(home)/.kube/config", F_OK) == 0 else {
            throw Self.unknown("no cluster is known: this is no pod of one, and there is no kubeconfig")
        }
        try read(kubeconfig: ["\(home)/.kube/config"], convert)
    }

    /// Where a pod finds the credentials of its service account.
    private static let account = "/var/run/secrets/kubernetes.io/serviceaccount"

    private static func unknown(_ reason: String) -> StoreError {
        .shared("Kubernetes", reason: reason, hint: "name a kubeconfig with KUBECONFIG")
    }

    var hasTokenFile: Bool { tokenFile != nil }

    /// The bearer token, as its file has it now; nil without one.
    func token() throws(StoreError) -> String? {
        guard let token = if let tokenFile { try secret(tokenFile) } else { givenToken } else { return nil }
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .corrupt(path: tokenFile ?? "the kubeconfig", reason: "it holds no token")
        }
        learn(token)
        return token
    }
}

extension KubernetesAccess {
    /// Takes the current context of a kubeconfig (kubernetes.io, "kubeconfig (v1)"). Of several files some may be missing.
    private mutating func read(
        kubeconfig paths: [String], _ convert: () throws(StoreError) -> [UInt8]
    ) throws(StoreError) {
        var (bytes, isOpen): ([UInt8]?, Bool) = (nil, false)
        for path in paths {
            guard let file = try PrivateFile.read(path, isStrict: false) else { continue }
            (bytes, isOpen) = (file.bytes, isOpen || file.isOpenToOthers)
        }
        let path = paths.joined(separator: ":")
        guard let bytes else { throw Self.unknown("\(path) is missing") }
        let own = paths.count == 1 ? (try? JSON(parsing: bytes))?.object : nil
        let json = own == nil ? try convert() : []
        guard let config = own ?? (try? JSON(parsing: json))?.object else {
            throw .corrupt(path: path, reason: "it is no kubeconfig")
        }
        func entry(_ list: String, _ kind: String, _ name: String?) throws(StoreError) -> JSONObject {
            let entries = (config[list]?.array ?? []).compactMap(\.object)
            guard let name, let entry = entries.first(where: { $0["name"]?.string == name })?[kind]?.object else {
                throw .corrupt(path: path, reason: "it has no \(kind) \(name ?? "that is the current one")")
            }
            return entry
        }
        let context = try entry("contexts", "context", config["current-context"]?.string)
        let (cluster, user) = (
            try entry("clusters", "cluster", context["cluster"]?.string),
            try entry("users", "user", context["user"]?.string)
        )
        guard user["token"] == nil && user["client-key-data"] == nil || !isOpen else {
            throw .unsafe(path: path, .readable(secret: "its credentials"))
        }
        try take(cluster, of: path)
        // Whoever has the port would get what proves the user. As with kubectl, nothing of it goes over http.
        if WebURL(server)?.scheme == "https" { try take(user: user, of: path) }
    }

    private mutating func take(_ cluster: JSONObject, of path: String) throws(StoreError) {
        guard let server = cluster["server"]?.string, let url = WebURL(server), url.query == nil, url.userinfo == nil,
            ["https", "http"].contains(url.scheme)
        else { throw .corrupt(path: path, reason: "its cluster has no server that is a URL") }
        self.server = server.hasSuffix("/") ? String(server.dropLast()) : server
        guard cluster["insecure-skip-tls-verify"]?.bool != true, cluster["tls-server-name"] == nil else {
            throw .corrupt(path: path, reason: "oap checks the server's certificate, by the name in its URL")
        }
        route.caCertificateFile = try file(cluster, "certificate-authority", of: path)
        route.proxy = cluster["proxy-url"]?.string ?? route.proxy
    }

    private mutating func take(user: JSONObject, of path: String) throws(StoreError) {
        route.certificateFile = try file(user, "client-certificate", of: path)
        route.keyFile = try file(user, "client-key", of: path)
        tokenFile = user["tokenFile"]?.string.map { self.path($0, beside: path) }
        givenToken = user["token"]?.string
        givenToken.map(learn)
        // What a program or a provider would have to be asked for.
        let others = ["exec", "auth-provider", "username"].filter { user[$0] != nil }
        if let other = others.first, route.certificateFile == nil, tokenFile == nil, givenToken == nil {
            throw .shared(
                "Kubernetes", reason: "\(path): oap has no use for the user's \(other)",
                hint: "use a service account: kubectl create token NAME > FILE, and FILE as its tokenFile")
        }
    }

    /// The path of a file that an entry names, or has as data.
    private mutating func file(
        _ entry: JSONObject, _ name: String, of config: String
    ) throws(StoreError) -> String? {
        guard let text = entry["\(name)-data"]?.string, !text.isEmpty else {
            return entry[name]?.string.map { path($0, beside: config) }
        }
        guard let bytes = Base64.decode(text) else {
            throw .corrupt(path: config, reason: "its \(name)-data is not Base64")
        }
        let file = try StoreError.at(config, try MemoryFile(bytes))
        files.append(file)
        return file.path
    }

    /// A path in a kubeconfig is relative to the file's folder. One of no file may be the secret.
    private func path(_ path: String, beside config: String) -> String {
        guard !path.isAbsolutePath else { return path }
        let whole = config.folderPrefix + path
        if path.utf8.count >= 20, access(whole, F_OK) != 0 { learn(path) }
        return whole
    }
}
