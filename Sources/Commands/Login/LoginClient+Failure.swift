internal import CommandSpec
internal import OAuth
internal import Wire

/// What a failure of the login says about the client.
extension LoginClient {
    /// The failure of a login, with the command that mends it: where its code was refused, the one that begins again; where
    /// its scope was, or a client that the server has forgotten, one that registers another client.
    func explained(_ failure: Failure) -> Failure {
        var failure = failure
        if failure.code == "invalid_scope", isRegistered, failure.hint == nil {
            failure.hint = """
                if the client was registered without this scope, register another client: oap login \(name.text) \
                --register --save-profile --scope 'SCOPE'
                """
        } else if let explained = ForgottenClient(members, named: name.text)?.explained(failure) {
            return explained
        } else if failure.cause == .grant {
            failure.hint = "a code works once and expires soon; begin the login again: oap login \(name.text)"
        }
        return failure
    }

    /// The failure of a redirect that cannot be received here on https, with the command that asks for the redirected URL
    /// instead.
    func pasting(_ failure: Failure) -> Failure {
        guard failure.cause == .certificate else { return failure }
        var failure = failure
        failure.hint = "without a certificate: \(command(with: LoginWay.paste, without: LoginWay.listening))"
        return failure
    }
}
