/// Values that are found by a random key until they expire. At its capacity it evicts the oldest.
struct ExpiringTable<Value> {
    private var entries: [String: Entry] = [:]
    /// The keys in the order of their insertion; those before `head` are removed.
    private var keys: [String] = []
    private var head = 0
    private let capacity: Int

    private struct Entry {
        var value: Value
        let expires: Int
    }

    init(capacity: Int = 4096) { self.capacity = capacity }

    /// The number of values, including expired ones.
    var count: Int { entries.count }

    func value(_ key: String, now: Int) -> Value? { entries[key].flatMap { $0.expires > now ? $0.value : nil } }

    /// Adds a value under a key that is new.
    mutating func insert(_ value: Value, for key: String, lifetime: Int, now: Int) {
        entries[key] = Entry(value: value, expires: now + lifetime)
        keys.append(key)
        sweep(now: now)
    }

    /// Replaces a value without changing when it expires.
    mutating func replace(_ key: String, with value: Value) { entries[key]?.value = value }

    mutating func remove(_ key: String, now: Int) -> Value? {
        entries.removeValue(forKey: key).flatMap { $0.expires > now ? $0.value : nil }
    }

    /// Removes expired values at the old end, and the oldest ones beyond the capacity.
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
