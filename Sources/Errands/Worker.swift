package import System

/// A second thread for work that takes longer than it takes to hand it over. It is done in its order, and the engine wakes
/// when some is done.
///
/// It is used from one thread, that of the engine.
package final class Worker: Listener {
    /// A piece of work; a pointer to it goes through a pipe.
    private final class Piece: Sendable {
        let carryOut: @Sendable () -> Void

        init(_ carryOut: @escaping @Sendable () -> Void) { self.carryOut = carryOut }
    }

    /// What was handed over and not taken, the oldest first.
    private var pieces: ArraySlice<Piece> = []
    private var doneCount = 0
    /// To the thread: pointers to pieces. From it: a byte for each that is done.
    private var orders: Pipe
    private let results: Pipe
    private var thread: BackgroundThread?

    /// Starts the thread; nil if the system has none, or no descriptors, left.
    package init?() {
        do throws(Errno) {
            orders = try Pipe()
            results = try Pipe()
        } catch {
            return nil
        }
        guard let input = orders.reading, let output = results.writing else { return nil }
        thread = BackgroundThread {
            var pointer: UnsafeRawPointer?
            while (try? withUnsafeMutableBytes(of: &pointer) { (bytes) throws(Errno) in try input.read(into: bytes) })
                == MemoryLayout.size(ofValue: pointer), let pointer
            {
                Unmanaged<Piece>.fromOpaque(pointer).takeUnretainedValue().carryOut()
                guard (try? output.writeAll([0])) != nil else { return }
            }
        }
        if thread == nil { return nil }
    }

    deinit {
        orders.closeWriting()
        // The pieces live until the thread has read the last of them.
        thread = nil
    }

    /// Hands work over. What it leaves behind is read after ``takeDone()`` has counted it.
    package func add(_ work: @escaping @Sendable () -> Void) {
        let piece = Piece(work)
        pieces.append(piece)
        var pointer = UnsafeRawPointer(Unmanaged.passUnretained(piece).toOpaque())
        do {
            try withUnsafeBytes(of: &pointer) { (bytes) throws(Errno) in try orders.writing?.writeAll(bytes) }
        } catch {
            preconditionFailure("the thread reads what it is given")
        }
    }

    /// How much of the work is done, from the oldest on, that was not counted before.
    package func takeDone() -> Int {
        serve([])
        defer {
            pieces.removeFirst(doneCount)
            doneCount = 0
        }
        return doneCount
    }

    package var due: MonotonicTime? { nil }

    package var watched: [Watched] {
        doneCount < pieces.count ? results.reading.map { [Watched($0.number)] } ?? [] : []
    }

    package func serve(_ ready: [Int32]) {
        guard doneCount < pieces.count, let reading = results.reading, reading.isReadable else { return }
        doneCount += (try? reading.read(upTo: pieces.count - doneCount).count) ?? 0
    }
}
