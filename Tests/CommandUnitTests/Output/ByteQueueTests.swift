import Foundation
import Testing

@testable import Commands
@testable import Calling
@testable import Login
@testable import Sessions
@testable import Tokens
@testable import Shell

@Suite("What waits for the reader of a batch")
struct ByteQueueTests {
    /// The processor time of this thread for taking so many mebibytes in pieces, in seconds.
    private func time(ofTaking mebibytes: Int) -> Double {
        var queue = ByteQueue()
        queue.append([UInt8](repeating: 1, count: mebibytes << 20))
        var (start, end) = (timespec(), timespec())
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start)
        while queue.count > 0 { queue.removeFirst(min(queue.count, 16 << 10)) }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &end)
        return Double(end.tv_sec - start.tv_sec) + Double(end.tv_nsec - start.tv_nsec) / 1e9
    }

    @Test("bytes come out as they were put in, whatever is added meanwhile")
    func order() {
        var queue = ByteQueue()
        var (next, taken) = (0, 0)
        var isInOrder = true
        for round in 1...2000 {
            queue.append((0..<2000).map { UInt8(truncatingIfNeeded: next + $0) })
            next += 2000
            let count = queue.withFirst(round * 2) { bytes in
                isInOrder = isInOrder && bytes.enumerated().allSatisfy { $1 == UInt8(truncatingIfNeeded: taken + $0) }
                return bytes.count
            }
            queue.removeFirst(count)
            taken += count
        }
        #expect(isInOrder)
        #expect(queue.count == next - taken)
        #expect(taken > 3 << 20, "it was compacted meanwhile")
    }

    @Test("the time that it takes to write an answer grows with its size, not with the square of it")
    func time() {
        let (small, large) = (time(ofTaking: 8), time(ofTaking: 128))
        // 16 times as many bytes; by the square it would be 256 times the time.
        #expect(large < 80 * max(small, 0.000_1))
    }
}
