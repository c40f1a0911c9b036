internal import Glibc
internal import Loopback

/// The users of this machine whose programs may bring the redirect. Others can see `state` in the arguments of a browser,
/// and would be first with a code of their own: the person would then be logged in as somebody else.
struct ListenUsers {
    private let ids: Set<UInt32>?

    /// This user and root; under sudo the user who called it, too, whose browser it may be.
    ///
    /// - Parameter target: where to listen. Where others can reach the address, a tunnel or a proxy of any user may
    ///   bring the redirect.
    init(of target: ListenTarget, _ environment: Environment) throws(Failure) {
        let caller = try environment.value("SUDO_UID").flatMap { UInt32($0) }
        ids = target.addresses.allSatisfy(\.isLoopback) ? Set([0, geteuid(), caller ?? 0]) : nil
    }

    /// Whether a program may bring the redirect. One that nothing is known of may: it is a browser outside of a container,
    /// or outside of a virtual machine whose port it reaches.
    func contain(_ peer: LoopbackPeer) -> Bool {
        guard let ids else { return true }
        return switch peer {
        case .user(let id): ids.contains(id)
        // Who waits for the answer is there.
        case .gone: false
        case .unknown: true
        }
    }
}
