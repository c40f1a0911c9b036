/// A value with a change: `changing(self) { $0.name = name }`.
package func changing<Value, Problem: Error>(
    _ value: Value, _ change: (inout Value) throws(Problem) -> Void
) throws(Problem) -> Value {
    var value = value
    try change(&value)
    return value
}
