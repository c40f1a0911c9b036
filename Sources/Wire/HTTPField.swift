/// One header field of a request or response (RFC 9110 §5).
package struct HTTPField: Sendable, Equatable {
    /// The field name as it is written; names compare without case.
    package var name: String
    /// The field value, without white space around it.
    package var value: String

    package init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
}

extension [HTTPField] {
    /// The values of the fields of a name, in order. Names compare without case (RFC 9110 §5.1).
    package func values(of name: String) -> [String] {
        filter { $0.name.equalsIgnoringASCIICase(name) }.map(\.value)
    }

    package func first(_ name: String) -> String? { first { $0.name.equalsIgnoringASCIICase(name) }?.value }
}
