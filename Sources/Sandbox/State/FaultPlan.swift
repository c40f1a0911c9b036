/// The faults, with a count of requests for each.
struct FaultPlan {
    private var faults: [Fault]
    /// The numbers of those that have changed a response.
    var used: Set<Int> = []

    init(_ faults: [Fault]) { self.faults = faults }

    /// The number of the fault of the next request to an endpoint, the first that is due; nil for none.
    mutating func next(at endpoint: Endpoint) -> Int? {
        var due: Int?
        for index in faults.indices where faults[index].endpoint == endpoint {
            if faults[index].skipped > 0 {
                faults[index].skipped -= 1
            } else if due == nil, faults[index].count != 0 {
                due = index
                faults[index].count = faults[index].count.map { $0 - 1 }
            }
        }
        return due
    }
}
