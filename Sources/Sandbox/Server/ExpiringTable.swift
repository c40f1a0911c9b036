/// Values that are found by a random key until they expire. It never holds more than its capacity: the oldest make room.
struct ExpiringTable<Value> {
    private var entries: [String: Entry] = [:]
    /// The keys in the order of their insertion; those before `head` are gone.
    private var keys: [String] = []
    private var head = 0
    private let capacity: Int

    private struct Entry {
        var value: Value
        let expires: Int
    }

    /// Makes an empty table.
    init(capacity: Int) { self.capacity = capacity }

    /// How many values are held, the expired among them.
    var count: Int { entries.count }

    /// The value of a key that has not expired.
    ///
    /// - Parameter now: seconds since 1970.
    func value(_ key: String, now: Int) -> Value? {
        entries[key].flatMap { $0.expires > now ? $0.value : nil }
    }

    /// Adds a value under a key that is new.
    ///
    /// - Parameter lifetime: seconds.
    mutating func insert(_ value: Value, for key: String, lifetime: Int, now: Int) {
        entries[key] = Entry(value: value, expires: now + lifetime)
        keys.append(key)
        sweep(now: now)
    }

    /// Puts another value in the place of the one that is there; it expires when that would have.
    mutating func replace(_ key: String, with value: Value) { entries[key]?.value = value }

    /// Removes a value and gives it; nil for one that is not there or has expired.
    mutating func remove(_ key: String, now: Int) -> Value? {
        entries.removeValue(forKey: key).flatMap { $0.expires > now ? $0.value : nil }
    }

    /// Lets go of what has expired at the old end, and of the oldest beyond the capacity.
    private mutating func sweep(now: Int) {
        while head < keys.count {
            let isLive = entries[keys[head]].map { $0.expires > now } ?? false
            guard !isLive || keys.count - head > capacity else { break }
            entries[keys[head]] = nil
            head += 1
        }
        if head > 64, head > keys.count / 2 {
            keys.removeFirst(head)
            head = 0
        }
    }
}
