internal import OAuth
internal import Wire

extension LoginClient {
    /// The failure of a login, with the command that mends it: where its code was refused, the one that begins again; where
    /// its scope was, or a client that the server has forgotten, one that registers another client.
    func explained(_ failure: Failure) -> Failure {
        let forgotten = ForgottenClient(members, named: name.text)
        let hint: String? =
            switch failure.cause {
            case .client: forgotten?.hint(afterRefusal: failure.hint)
            case .redirect: forgotten?.hint(afterSilence: failure.hint)
            case .grant: "a code works once and expires soon; begin the login again: oap login \(name.text)"
            case .scope where isRegistered:
                failure.hint
                    ?? """
                    if the client was registered without this scope, register another client: oap login \(name.text) \
                    --register --save-profile --scope 'SCOPE'
                    """
            case .scope, .clock, nil: nil
            }
        return hint.map(failure.advising) ?? failure
    }
}
