/// The value of `--store` and `OAP_STORE` (oap-store(1), STORES).
package enum StoreAddress: Sendable, Equatable {
    case file(String)
    /// `helper:PROGRAM`, the store behind the program `docker-credential-PROGRAM`.
    case helper(String)

    case etcd(EtcdAddress)
    case kubernetes(KubernetesAddress)

    /// What a seal names the store by: not a folder, which may be copied, and not the addresses of a cluster, which change.
    package var place: String {
        switch self {
        case .file: "file"
        case .helper(let name): "helper:\(name)"
        case .etcd(let cluster): "etcd:\(cluster.prefix)"
        case .kubernetes(let place): "kubernetes:\(place.namespace)/\(place.prefix)"
        }
    }

    /// The address as a text that each spelling of it has; nil where a machine keeps nothing of its own for the store.
    package var canonical: String? {
        let (start, prefix): (String, String)
        switch self {
        case .file, .helper: return nil
        case .etcd(let at): (start, prefix) = ("etcd:\(Set(at.endpoints).sorted().joined(separator: ","))", at.prefix)
        case .kubernetes(let at): (start, prefix) = ("kubernetes:\(at.namespace)", at.prefix)
        }
        return prefix == "oap" ? start : "\(start)/\(prefix)"
    }

    package init(_ text: String) throws(StoreError) {
        let isHelperByte = { (byte: UInt8) in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || byte == 0x2D
        }
        let kind = text.prefix { $0 != ":" }
        let rest = String(text[kind.endIndex...].dropFirst())
        let address: StoreAddress? =
            switch kind {
            case "file": rest.isEmpty ? nil : .file(rest)
            case "helper": !rest.isEmpty && rest.utf8.allSatisfy(isHelperByte) ? .helper(rest) : nil
            case "etcd": EtcdAddress(rest).map(Self.etcd)
            case "kubernetes": KubernetesAddress(rest).map(Self.kubernetes)
            default: nil
            }
        guard let address else {
            let isName = (1..<20).contains(kind.utf8.count) && kind.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            throw .badStore(kind: isName ? rest.isEmpty ? text : "\(kind):…" : nil)
        }
        self = address
    }
}
