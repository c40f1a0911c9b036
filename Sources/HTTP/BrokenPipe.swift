internal import Glibc

/// Runs the body with SIGPIPE blocked on this thread, so that a write to a closed socket returns an error instead of
/// ending the process: OpenSSL writes without MSG_NOSIGNAL. A pending SIGPIPE is discarded; the mask is restored.
func withBrokenPipeBlocked<Result>(_ body: () -> Result) -> Result {
    var pipeSignal = sigset_t()
    sigemptyset(&pipeSignal)
    sigaddset(&pipeSignal, SIGPIPE)
    var pending = sigset_t()
    sigpending(&pending)
    let wasPending = sigismember(&pending, SIGPIPE) == 1
    var before = sigset_t()
    pthread_sigmask(SIG_BLOCK, &pipeSignal, &before)
    let result = body()
    if !wasPending {
        var now = timespec()
        while sigtimedwait(&pipeSignal, nil, &now) == -1, errno == EINTR {}
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    return result
}
