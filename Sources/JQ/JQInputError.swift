/// Why a text cannot be the input of a filter.
package enum JQInputError: Error, Equatable {
    /// The text is not JSON: the reason and the place.
    case notJSON(String)
    /// The text has more than `ValueMemory.maximumSize` bytes of which values must be built.
    case tooLarge
    /// The text has a string or a number of more than `ValueMemory.maximumSize` bytes.
    case tokenTooLarge
    /// The text has more than `ValueMemory.maximumWeight` values.
    case tooManyValues
    case noMemory
}
