internal import Glibc
internal import Loopback
internal import System
internal import Shell

/// The users of this machine whose programs may send the redirect. Others can read `state` in the arguments of a
/// browser and send a code of their own first: the user would then be logged in to the attacker's account.
struct ListenUsers {
    private let ids: Set<UInt32>?

    /// This user and root; under sudo also the calling user, who may own the browser.
    ///
    /// - Parameter target: where to listen. Where others can reach the address, a tunnel or a proxy of any user may
    /// send the redirect.
    init(of target: ListenTarget, _ environment: Environment) throws(Failure) {
        let caller = try environment.value("SUDO_UID").flatMap { UInt32($0) }
        ids = target.addresses.allSatisfy(\.isLoopback) ? Set([0, geteuid(), caller ?? 0]) : nil
    }

    /// Whether nobody else has a program on this machine, as far as can be seen: then one that has ended was theirs. The
    /// numbers below 1000, and those of systemd and of nobody, are of services.
    var areAlone: Bool {
        guard let ids, let names = try? Folder.names(in: "/proc"), names.contains("1") else { return false }
        let owners = names.filter { $0.first?.isNumber == true }.compactMap { try? FileStatus(at: "/proc/\($0)").owner }
        return owners.allSatisfy { ids.contains($0) || $0 < 1000 || (61184...65534).contains($0) }
    }

    /// Whether a program may send the redirect. A program of unknown user may: it is a browser outside of a container,
    /// or outside of a virtual machine with a forwarded port.
    func contain(_ peer: LoopbackPeer) -> Bool {
        guard let ids else { return true }
        return switch peer {
        case .user(let id): ids.contains(id)
        // A browser that waits for the response would still be there.
        case .gone: false
        case .unknown: true
        }
    }
}
