import Engine
import Errands
import Foundation
import HTTP
import Synchronization
import System
import TestSupport
import Testing
import Wire

@Suite("Work on a second thread")
struct WorkerTests {
    @Test("it is done in its order, the engine wakes for it, and nothing is counted twice")
    func order() throws {
        let engine = Engine(
            options: { TransportOptions { _ in nil } }, open: { () throws(HTTPError) in try Transfers() })
        let worker = try #require(Worker())
        engine.add(worker)
        let gate = DispatchSemaphore(value: 0)
        let done = Mutex<[Int]>([])
        worker.add { gate.wait() }
        for number in 1...500 { worker.add { done.withLock { $0.append(number) } } }
        #expect(worker.takeDone() == 0)
        gate.signal()
        let limit = MonotonicTime.now + .seconds(20)
        var count = 0
        while count < 501, MonotonicTime.now < limit {
            engine.turn(until: limit)
            let taken = worker.takeDone()
            #expect(taken > 0)
            count += taken
        }
        #expect(count == 501 && worker.takeDone() == 0)
        #expect(done.withLock { $0 } == Array(1...500))
        // Nothing is left to wake for.
        #expect(worker.watched.isEmpty)
    }

    @Test("one that is dropped finishes what it was given")
    func dropped() throws {
        let done = Mutex(0)
        var worker = Worker()
        for _ in 1...100 { try #require(worker).add { done.withLock { $0 += 1 } } }
        worker = nil
        #expect(done.withLock { $0 } == 100)
    }
}
