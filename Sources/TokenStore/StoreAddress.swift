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
        guard let colon = text.utf8.firstIndex(of: 0x3A) else { throw .badStore(text) }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "file" where !rest.isEmpty: self = .file(rest)
        case "helper" where !rest.isEmpty && rest.utf8.allSatisfy(isHelperByte): self = .helper(rest)
        case "etcd" where !rest.isEmpty:
            do throws(StoreError) { self = .etcd(try EtcdAddress(rest)) } catch { throw .badStore(text) }
        case "kubernetes":
            do throws(StoreError) { self = .kubernetes(try KubernetesAddress(rest)) } catch { throw .badStore(text) }
        default: throw .badStore(text)
        }
    }
}
