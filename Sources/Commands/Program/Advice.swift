internal import OAuth

extension OAuthError {
    /// What to do about it: what the error itself says, or else what there is on a command line.
    var advice: String? {
        if let hint { return hint }
        return switch kind {
        case .metadataMissing: member.flatMap { Member.named($0) }?.supply
        case .pkceUnsupported:
            "\(AuthurlCommand.challengeMethod.name) plain or \(AuthurlCommand.noPKCE.name), if it has to be"
        default: nil
        }
    }
}
