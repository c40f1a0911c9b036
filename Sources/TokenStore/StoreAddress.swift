/// The value of `--store` and `OAP_STORE` (oap-store(1), STORES).
package enum StoreAddress: Sendable, Equatable {
    case file(String)
    /// `helper:PROGRAM`, the store behind the program `docker-credential-PROGRAM`.
    case helper(String)

    case etcd(EtcdAddress)
    case kubernetes(KubernetesAddress)

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
