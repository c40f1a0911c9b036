internal import CProcess
internal import Glibc

extension FileDescriptor {
    /// The next bytes, which the next read still finds: those of a file at its offset (pread(2)), of a pipe (tee(2)), or of a
    /// socket (recv(2), `MSG_PEEK`).
    ///
    /// - Returns: no bytes at the end; nil for a pipe or a socket that has none yet.
    /// - Throws: `EINVAL` for what is none of these.
    package func peek(upTo count: Int) throws(Errno) -> [UInt8]? {
        let status = try FileStatus(self)
        guard status.isFile || status.isPipe || status.isSocket else { throw Errno(EINVAL) }
        do throws(Errno) {
            if status.isPipe { return try copied(upTo: count) }
            var bytes = [UInt8](repeating: 0, count: count)
            let read =
                status.isSocket
                ? recv(number, &bytes, count, Int32(MSG_PEEK | MSG_DONTWAIT))
                : pread(number, &bytes, count, lseek(number, 0, SEEK_CUR))
            guard read >= 0 else { throw .current }
            return Array(bytes.prefix(read))
        } catch {
            guard error == .wouldBlock || error == .interrupted else { throw error }
            return nil
        }
    }

    /// The next bytes of a pipe, by way of another pipe.
    private func copied(upTo count: Int) throws(Errno) -> [UInt8] {
        let copy = try Pipe(blocks: false)
        guard let ends = copy.ends else { preconditionFailure("a new pipe is open") }
        let read = oap_copy_pipe(number, ends.writing.number, count)
        guard read >= 0 else { throw .current }
        return read == 0 ? [] : try ends.reading.read(upTo: read)
    }

    /// Waits until there are bytes, or until nothing writes to a pipe any more.
    ///
    /// - Parameter hasSome: whether there are bytes already, for which it does not wait.
    /// - Returns: whether nothing writes to it any more.
    package func waitForBytes(hasSome: Bool, until end: MonotonicTime) -> Bool {
        var event = pollfd(fd: number, events: hasSome ? 0 : Int16(POLLIN), revents: 0)
        _ = poll(&event, 1, Int32(end.milliseconds(since: .now)))
        return event.revents & Int16(POLLHUP) != 0
    }
}
