internal import Glibc

/// Does something while SIGPIPE is blocked on this thread, so that a peer's closed socket is an error and no death:
/// OpenSSL writes without MSG_NOSIGNAL. A signal that came meanwhile is taken away; the mask is restored.
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
